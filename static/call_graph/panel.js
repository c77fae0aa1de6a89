// What stands around the graph: the buttons above it, the legend below, the text beside the pointer. All text goes in by textContent.
const SVG = "http://www.w3.org/2000/svg"
const KINDS = {
  root: ["root model", "Root model: a turn, in which the main model was asked and replied, mostly with code to run next."],
  code: ["code", "Code: a cell that the main model wrote and that ran in the sandbox."],
  call: ["sub-call", "Sub-call: a helper model was asked about a piece of the archive."],
  frame: ["child frame", "Child frame: a helper that works like the main model, with code and helpers of its own."],
  search: ["search", "Search: the archive was searched for words."],
  answer: ["answer", "Answer: what the run came to."],
  failed: ["failed", "Failed: something did not end well; its box says why."],
  mended: ["made good", "Made good: it failed, and was asked again with a reply, or a later cell repaired it."],
}
const ICONS = {
  smaller: "M5 12h14",
  larger: "M12 5v14M5 12h14",
  whole: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  table: "M4 5h16v14H4zM4 10h16M10 10v9",
}
export const WHEEL_HINT = "The wheel scrolls, with Ctrl it zooms; dragging moves. Keys: arrows walk, + and − zoom, 0 shows all, Enter unfolds."

export function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

function button(icon, label, act) {
  const element = make("button", "tool")
  element.type = "button"
  element.title = label
  element.setAttribute("aria-label", label)
  const svg = document.createElementNS(SVG, "svg")
  svg.setAttribute("viewBox", "0 0 24 24")
  svg.setAttribute("aria-hidden", "true")
  const path = document.createElementNS(SVG, "path")
  path.setAttribute("d", ICONS[icon])
  svg.append(path)
  element.append(svg)
  element.onclick = act
  return element
}

export function tools(acts) {
  const bar = make("div", "tools")
  const scale = make("button", "tool scale")
  scale.type = "button"
  scale.title = `Back to 100 %. ${WHEEL_HINT}`
  scale.onclick = acts.natural
  bar.append(
    button("smaller", "Zoom out", acts.smaller),
    scale,
    button("larger", "Zoom in", acts.larger),
    button("whole", "Show the whole graph", acts.whole),
    button("table", "Show as a table", acts.table),
  )
  return { bar, scale }
}

// The kinds that are drawn, each with a sentence for newcomers: beside the pointer, and on a click for fingers and keyboards.
export function legend(kinds, share, assets, tell) {
  const list = make("div", "legend")
  for (const [kind, [name, sentence]] of Object.entries(KINDS)) {
    if (!kinds.has(kind)) continue
    const icon = make("img", "")
    icon.src = `${assets}/kinds/${kind}.svg`
    icon.alt = ""
    list.append(entry(icon, name, sentence, tell))
  }
  const sentence = `The bar at the foot of a box is its part of the run's ${share}; a thick way leads to much of it.`
  list.append(entry(make("span", "bar"), `part of ${share}`, sentence, tell))
  return list
}

function entry(icon, name, sentence, tell) {
  const element = make("button", "kind")
  element.type = "button"
  element.title = sentence
  element.append(icon, document.createTextNode(name))
  element.onclick = () => tell(sentence)
  return element
}

// A text beside the pointer, within the stage.
export class Tip {
  constructor(stage) {
    this.stage = stage
    this.element = stage.appendChild(make("div", "tip"))
    this.hide()
  }

  show(lines, x, y) {
    this.element.replaceChildren(...lines.map((line) => make("div", "", line)))
    this.element.hidden = false
    const { clientWidth: width, clientHeight: height } = this.stage
    const left = Math.max(4, Math.min(x + 14, width - this.element.offsetWidth - 4))
    const below = y + 18 + this.element.offsetHeight <= height
    this.element.style.left = `${left}px`
    this.element.style.top = `${below ? y + 18 : Math.max(4, y - 12 - this.element.offsetHeight)}px`
  }

  hide() {
    this.element.hidden = true
  }
}
