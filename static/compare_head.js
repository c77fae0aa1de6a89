// What a comparison comes to, and the table of its runs. All text comes from people and models: it goes in by textContent only.
const COLUMNS = ["", "outcome", "answer", "quotes exact", "calls", "cost", "time", "tokens in | out"]
const FIRST_FIGURE = 3
const UNKNOWN = ["unknown", "none yet", "not checked"]

function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

function said(data) {
  const box = make("div", "said")
  box.append(make("h1", "", data.headline), ...data.lead.map((each) => make("p", "", each)))
  return box
}

// A click stays in the app; with a modifier the browser opens the address as ever.
function link(run, inst) {
  const anchor = make("a", "strategy", run.name)
  anchor.href = run.href
  anchor.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    inst.component.setTriggerValue("opened", run.run)
  }
  return anchor
}

function name(run, inst) {
  const cell = make("td", "name")
  const box = make("div", "")
  const first = make("div", "first")
  first.append(make("span", `letter ${run.shade}`, run.letter), link(run, inst))
  if (run.removable) {
    const button = make("button", "remove", "×")
    button.setAttribute("aria-label", `Take ${run.letter} out of the comparison`)
    button.onclick = () => inst.component.setTriggerValue("removed", run.run)
    first.append(button)
  }
  box.append(first, make("div", "models", run.models))
  cell.append(box)
  return cell
}

function row(run, inst) {
  const line = make("tr", "")
  line.append(name(run, inst), make("td", "outcome", run.outcome))
  line.append(make("td", run.answered ? "answer" : "answer none", run.answer))
  line.append(...run.figures.map((each) => make("td", UNKNOWN.includes(each) ? "figure unknown" : "figure", each)))
  return line
}

function table(runs, inst) {
  const box = make("div", "runs")
  const drawn = make("table", "")
  const head = make("tr", "")
  head.append(...COLUMNS.map((each, number) => make("th", number < FIRST_FIGURE ? "" : "figure", each)))
  drawn.append(head, ...runs.map((run) => row(run, inst)))
  box.append(drawn)
  return box
}

// Draws a part only where its content has changed: a live run must not disturb what somebody selects.
function put(root, slot, content, draw) {
  const old = root.querySelector(`:scope > .${slot}`) ?? root.appendChild(make("div", slot))
  const written = JSON.stringify(content)
  if (old.written === written) return
  const drawn = draw()
  drawn.written = written
  old.replaceWith(drawn)
}

export default function (component) {
  const root = component.parentElement.querySelector(".head")
  const inst = (root.inst ??= {})
  inst.component = component
  const { runs, ...words } = component.data
  put(root, "said", words, () => said(words))
  put(root, "runs", runs, () => table(runs, inst))
}
