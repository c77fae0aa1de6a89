// What the tree and the reader of a run share: the shape of each kind, scrolling with the least motion, and whose selection it is.
// Texts come from people, models and documents: they go in by textContent only.
const SVG = "http://www.w3.org/2000/svg"
const EDGE_PX = 8
const SETTLED_MS = 4000
const LATEST_MS = 20000
const HEARD_AFTER_MS = 1500

const SHAPES = {
  root: [{ d: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z", fill: "var(--k)", "fill-rule": "evenodd" }],
  code: [
    { d: "M3.8 1.8h8.4a2 2 0 0 1 2 2v8.4a2 2 0 0 1-2 2H3.8a2 2 0 0 1-2-2V3.8a2 2 0 0 1 2-2z", fill: "var(--k)" },
    { d: "m5 5.6 2.6 2.4L5 10.4M8.6 11h2.8", fill: "none", stroke: "#1b2026", "stroke-width": "1.4" },
  ],
  call: [{ d: "M2.2 2.2h6.6L14.4 8l-5.6 5.8H2.2z", fill: "var(--k)" }],
  frame: [
    { d: "M3.3 1.8h9.4a1.5 1.5 0 0 1 1.5 1.5v9.4a1.5 1.5 0 0 1-1.5 1.5H3.3a1.5 1.5 0 0 1-1.5-1.5V3.3a1.5 1.5 0 0 1 1.5-1.5z", fill: "none", stroke: "var(--k)", "stroke-width": "2" },
    { d: "M5.6 5.6h4.8v4.8H5.6z", fill: "var(--k)" },
  ],
  answer: [{ d: "M8 1 15 8 8 15 1 8z", fill: "var(--k)", stroke: "var(--edge)", "stroke-width": "1.3" }],
  failed: [
    { d: "M5.2 1.4h5.6l3.8 3.8v5.6l-3.8 3.8H5.2l-3.8-3.8V5.2z", fill: "var(--k)" },
    { d: "m5.4 5.4 5.2 5.2M10.6 5.4l-5.2 5.2", fill: "none", stroke: "#fff", "stroke-width": "1.7" },
  ],
  mended: [{ d: "M5.4 2h5.2L14 5.4v5.2L10.6 14H5.4L2 10.6V5.4zM5.2 8.2l2 2 3.6-4.2", fill: "none", stroke: "var(--k)", "stroke-width": "1.2" }],
  note: [{ d: "M3 4.5h10M3 8h10M3 11.5h6", fill: "none", stroke: "var(--k)", "stroke-width": "1.5", "stroke-linecap": "round" }],
  search: [{ d: "M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3.2 3.2", fill: "none", stroke: "var(--k)", "stroke-width": "1.5", "stroke-linecap": "round" }],
  chevron: [{ d: "m6 3.5 4.5 4.5L6 12.5", fill: "none", stroke: "currentColor", "stroke-width": "1.5", "stroke-linecap": "round", "stroke-linejoin": "round" }],
}

function make(tag, name = "", text) {
  const element = document.createElement(tag)
  if (name) element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

function shape(kind) {
  const svg = document.createElementNS(SVG, "svg")
  svg.setAttribute("class", `shape ${kind}`)
  svg.setAttribute("viewBox", "0 0 16 16")
  svg.setAttribute("aria-hidden", "true")
  for (const attributes of SHAPES[kind]) {
    const path = document.createElementNS(SVG, "path")
    for (const [name, value] of Object.entries(attributes)) path.setAttribute(name, value)
    svg.append(path)
  }
  return svg
}

// What scrolls an element: the nearest pane with a scroll of its own, through the borders of shadow trees.
function paneOf(element) {
  for (let each = element; each; each = each.parentNode ?? each.host) {
    if (each instanceof Element && /auto|scroll/.test(getComputedStyle(each).overflowY)) return each
  }
  return document.scrollingElement
}

// Between which heights of the window a pane shows something, if `top` of it is covered by what sticks to its upper edge.
function shownIn(pane, top = 0) {
  const from = pane.getBoundingClientRect().top
  return [from + top + EDGE_PX, from + pane.clientHeight - EDGE_PX]
}

// Scrolls the pane, and nothing around it, to bring an element into the part of it that can be seen: as little as needed; or,
// with `at`, to that part of its height from above, so that what follows is seen too.
function reveal(element, top, at) {
  const pane = paneOf(element)
  const [upper, lower] = shownIn(pane, top)
  const box = element.getBoundingClientRect()
  if (box.top >= upper && box.bottom <= lower) return
  if (at !== undefined) pane.scrollTop += box.top - upper - at * (lower - upper)
  else pane.scrollTop += box.top < upper ? box.top - upper : Math.min(box.bottom - lower, box.top - upper)
}

// Does something now, and again as soon as what was only guessed has its size: in two frames, and whenever anything round
// an element gets another size while the page comes in; until that has come to rest, somebody takes over, or something
// else is to be done.
let unsettled
function settle(element, act) {
  unsettled?.abort()
  const control = (unsettled = new AbortController())
  const { signal } = control
  const stop = () => control.abort()
  for (const each of ["wheel", "pointerdown", "keydown", "touchstart"]) {
    document.addEventListener(each, stop, { capture: true, passive: true, signal })
  }
  const latest = performance.now() + LATEST_MS
  let rest
  const again = () => {
    act()
    clearTimeout(rest)
    rest = setTimeout(stop, Math.min(SETTLED_MS, latest - performance.now()))
  }
  again()
  requestAnimationFrame(() => requestAnimationFrame(() => signal.aborted || act()))
  const watching = new ResizeObserver(again)
  for (let each = element; each; each = each.parentNode ?? each.host) if (each instanceof Element) watching.observe(each)
  signal.addEventListener("abort", () => watching.disconnect())
}

// Puts the elements into their order and takes out all others. What stays where it is is not touched.
function arrange(parent, elements) {
  const kept = new Set(elements)
  for (const each of [...parent.children]) if (!kept.has(each)) each.remove()
  elements.forEach((each, place) => {
    if (parent.children[place] !== each) parent.insertBefore(each, parent.children[place] ?? null)
  })
}

// The selection of the page as one part of it sees it. What was selected here is known here first, and moves nothing when
// it comes back; what was selected elsewhere is shown. Python is told one thing after the other: of two at once it may hear
// only the later.
class Following {
  node = undefined
  sent = []
  untold = []

  send(component, id) {
    if (id === (this.sent.at(-1) ?? this.node)) return
    this.sent.push(id)
    this.tell(component, "select", id)
  }

  // Of several selections that wait, the last one counts.
  tell(component, name, value) {
    this.component = component
    this.untold = [...this.untold.filter(([each]) => each !== name || name !== "select"), [name, value]]
    if (!this.waiting) this.tellNext()
  }

  tellNext() {
    const next = this.untold.shift()
    if (!next) return
    this.waiting = setTimeout(() => this.heard(), HEARD_AFTER_MS)
    this.component.setTriggerValue(...next)
  }

  heard() {
    clearTimeout(this.waiting)
    this.waiting = null
    this.tellNext()
  }

  // Whether a selection that arrives was made elsewhere.
  arrives(component, node) {
    this.component = component
    this.heard()
    if (node === this.node) return false
    this.node = node
    const place = this.sent.indexOf(node)
    this.sent = place < 0 ? [] : this.sent.slice(place + 1)
    return place < 0
  }

  // What was selected here and has not come back yet.
  get ahead() {
    return this.sent.at(-1)
  }

  close() {
    clearTimeout(this.waiting)
  }
}
