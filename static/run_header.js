// The head of a run's page. All text comes from people, models and documents: it goes in by textContent only.
const SVG = "http://www.w3.org/2000/svg"

function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

function diamond() {
  const svg = document.createElementNS(SVG, "svg")
  svg.setAttribute("viewBox", "0 0 16 16")
  svg.setAttribute("aria-hidden", "true")
  const path = document.createElementNS(SVG, "path")
  path.setAttribute("d", "M8 1 15 8 8 15 1 8z")
  path.setAttribute("stroke-width", "1.3")
  svg.append(path)
  return svg
}

function said(data) {
  const column = make("div", "said")
  column.append(make("h1", "question", data.question))
  const state = make("div", "state")
  const badge = make("span", `badge ${data.state}`)
  if (data.live) badge.append(make("span", "dot"))
  badge.append(document.createTextNode(data.state_in_words))
  state.append(badge, make("span", "reason", data.reason))
  column.append(state)
  if (data.answer) {
    const row = make("div", "answer-row")
    row.append(diamond(), make("div", "answer", data.answer))
    column.append(row)
  }
  return column
}

function figures(list) {
  const grid = make("dl", "figures")
  for (const each of list) {
    const cell = make("div", "")
    cell.append(
      make("dt", "label", each.label),
      make("dd", each.value === "unknown" ? "value unknown" : "value", each.value),
      make("dd", "note", each.note),
    )
    grid.append(cell)
  }
  return grid
}

export default function (component) {
  const root = component.parentElement.querySelector(".header")
  const content = JSON.stringify(component.data)
  if (root.shown === content) return
  root.shown = content
  root.replaceChildren(said(component.data), figures(component.data.figures))
}
