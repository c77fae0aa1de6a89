// The head of a run's page, and rows of figures elsewhere. All text comes from people, models and documents: it goes in by textContent only.
const LINES = 8
const NO_VALUES = ["unknown", "none yet"]
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

// A long answer shows its first lines and says how many more there are.
function answer(text) {
  const box = make("div", "answer")
  const lines = text.split("\n")
  if (lines.length <= LINES + 1) {
    box.textContent = text
    return box
  }
  const shown = make("div", "lines")
  const toggle = make("button", "more")
  let open = false
  toggle.onclick = () => {
    open = !open
    draw()
  }
  function draw() {
    shown.textContent = open ? text : lines.slice(0, LINES).join("\n")
    toggle.textContent = open ? "fewer lines" : `and ${lines.length - LINES} more lines`
    toggle.setAttribute("aria-expanded", open)
  }
  draw()
  box.append(shown, toggle)
  return box
}

function said(data) {
  const column = make("div", "said")
  column.append(make("h1", "question", data.question))
  const state = make("div", "state")
  const badge = make("span", `badge ${data.state}`)
  if (data.live) badge.append(make("span", "dot"))
  badge.append(document.createTextNode(data.state_in_words))
  state.append(badge, ...data.notices.map((each) => make("span", "notice", each)), make("span", "reason", data.reason))
  column.append(state)
  if (data.answer) {
    const row = make("div", "answer-row")
    row.append(diamond(), answer(data.answer))
    column.append(row)
  }
  return column
}

function figures(list, name) {
  const grid = make("dl", name)
  for (const each of list) {
    const cell = make("div", "")
    cell.append(
      make("dt", "label", each.label),
      make("dd", NO_VALUES.includes(each.value) ? "value unknown" : "value", each.value),
      make("dd", "note", each.note),
    )
    grid.append(cell)
  }
  return grid
}

// Draws a part only where its content has changed: a live run must not disturb what somebody selects or has opened.
function put(root, name, content, draw) {
  const slot = root.querySelector(`:scope > .${name}`) ?? root.appendChild(make("div", name))
  const written = JSON.stringify(content)
  if (slot.written === written) return
  const drawn = draw()
  drawn.written = written
  slot.replaceWith(drawn)
}

export default function (component) {
  const root = component.parentElement.querySelector(".header")
  const { figures: list, ...head } = component.data
  const alone = head.question === undefined
  if (!alone) put(root, "said", head, () => said(head))
  put(root, "figures", list, () => figures(list, alone ? "figures alone" : "figures"))
}
