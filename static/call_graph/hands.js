// What pointer and keys do in the graph: point, choose, walk, scroll, zoom. A wheel at the end of the graph scrolls the page.
const TIP_AFTER_MS = 350
const LINE = 18 // pixels for browsers whose wheel counts in lines
const GRACE = 4 // pixels around the small buttons that count as hit
export const ZOOM_STEP = 1.25

export class Hands {
  constructor(graph) {
    this.graph = graph
    const { stage, net } = graph
    // The browser's own clicks: vis takes a press that lasts for one, also where it begins a drag, and a slow click for none.
    net.on("dragStart", () => { this.dragged = true })
    stage.onmousedown = (event) => this.press(event)
    stage.onclick = (event) => this.dragged || this.click(this.point(event))
    stage.ondblclick = (event) => graph.turnOver(this.at(this.point(event)))
    stage.onfocus = () => stage.classList.toggle("by-key", !this.pressed)
    stage.onkeydown = (event) => this.key(event)
    stage.onmousemove = (event) => this.hover(event)
    stage.onmouseleave = () => this.hover(null)
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false, capture: true })
  }

  // Focus by hand: the browser's own would scroll the page between press and release, and the click would miss.
  press(event) {
    event.preventDefault()
    this.dragged = false
    this.pressed = true
    this.graph.stage.focus({ preventScroll: true })
    this.pressed = false
  }

  // Where on the canvas the pointer is.
  point(event) {
    const place = this.graph.stage.getBoundingClientRect()
    return this.graph.net.DOMtoCanvas({ x: event.clientX - place.left, y: event.clientY - place.top })
  }

  at({ x, y }) {
    const boxes = [...this.graph.boxes.values()]
    return boxes.find((box) => x >= box.left && x <= box.left + box.width && y >= box.top && y <= box.top + box.height)
  }

  click(point) {
    const { graph } = this
    const box = this.at(point)
    if (!box) return
    const near = (each) => [point.x - box.left - each.x, point.y - box.top - each.y].every((d) => d >= -GRACE && d <= each.size + GRACE)
    const button = graph.drawing.buttons(box).find(near)
    if (button) graph.unfold(button.value)
    else if (box.face.form === "chip" && box.face.unfold) graph.unfold(box.face.unfold)
    else {
      graph.select(box.id)
      graph.sendChoice()
    }
  }

  hover(event) {
    const { graph } = this
    clearTimeout(this.tipping)
    graph.tip.hide()
    const place = event && graph.stage.getBoundingClientRect()
    const [x, y] = event ? [event.clientX - place.left, event.clientY - place.top] : [0, 0]
    const box = event && !event.buttons ? this.at(this.point(event)) : undefined
    graph.stage.style.cursor = box ? "pointer" : ""
    if (box) this.tipping = setTimeout(() => graph.tip.show(box.face.tip ?? [box.label], x, y), TIP_AFTER_MS)
    if (this.under === box?.id) return
    this.under = box?.id
    graph.net.redraw()
  }

  wheel(event) {
    const { graph } = this
    if (!event.ctrlKey && !event.metaKey) return this.scroll(event)
    event.preventDefault()
    const place = graph.stage.getBoundingClientRect()
    graph.zoom(Math.exp(-event.deltaY / 400), event.clientX - place.left, event.clientY - place.top)
  }

  scroll(event) {
    const { graph } = this
    const step = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1
    const [across, down] = [event.deltaX * step, event.deltaY * step]
    if (graph.scroll(...(event.shiftKey && !across ? [down, 0] : [across, down]))) event.preventDefault()
    else graph.tell(graph.panel.WHEEL_HINT)
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { graph } = this
    const acts = {
      out: () => this.walk((box) => graph.boxes.get(box.face.parent)),
      in: () => this.walk((box) => this.childrenOf(box.id)[0]),
      before: () => this.walk((box) => this.sibling(box, -1)),
      after: () => this.walk((box) => this.sibling(box, 1)),
      "turn over": () => graph.turnOver(graph.boxes.get(graph.selected)),
      clear: () => graph.select(""),
      larger: () => graph.zoom(ZOOM_STEP),
      smaller: () => graph.zoom(1 / ZOOM_STEP),
      whole: () => graph.whole(),
    }
    const act = acts[graph.data.keys[event.key]]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  // With the keys the next box may be out of sight; then it is brought into view.
  walk(step) {
    const { graph } = this
    const box = graph.boxes.get(graph.selected)
    const next = box ? step(box) : graph.boxes.values().next().value
    if (!next) return
    graph.select(next.id)
    graph.camera.reveal(next)
  }

  childrenOf(id) {
    return [...this.graph.boxes.values()].filter((box) => box.face.parent === id)
  }

  sibling(box, step) {
    const all = this.childrenOf(box.face.parent)
    return all[all.findIndex((each) => each.id === box.id) + step]
  }
}
