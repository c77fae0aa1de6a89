// The recursion graph: takes what Python sends, keeps one vis Network for as long as it is mounted, and tells Python what was chosen.
const WIDEST = 1.6
const HINT_MS = 2500
const SEND_AFTER_MS = 150
const HEARD_AFTER_MS = 1500
const OWN_CHOICE_MS = 4000
const IDLE_WITHIN_MS = 250
const COUNT_WIDTH = 250 // pixels: enough for a long count, so that the foot does not grow while somebody moves the graph

export class Graph {
  constructor(root, parts) {
    Object.assign(this, { root, ...parts, boxes: new Map(), placed: new Map(), edges: [], unsent: [], selected: "", data: null })
    this.nodes = new this.vis.DataSet()
    this.build()
  }

  build() {
    const { panel, root } = this
    const acts = {
      smaller: () => this.zoom(1 / this.ZOOM_STEP),
      larger: () => this.zoom(this.ZOOM_STEP),
      natural: () => this.zoom(1 / this.camera.scale),
      whole: () => this.whole(),
      table: () => this.send("table", true),
    }
    this.tools = panel.tools(acts)
    this.stage = panel.make("div", "stage")
    this.stage.tabIndex = 0
    this.stage.setAttribute("role", "application")
    this.note = panel.make("div", "note")
    this.note.setAttribute("role", "status")
    this.foot = panel.make("div", "foot")
    this.canvas = this.stage.appendChild(panel.make("div", "canvas"))
    this.tip = new panel.Tip(this.stage)
    this.stage.append(this.note)
    root.replaceChildren(this.tools.bar, this.stage, this.foot)
    root.positionOf = (id, sign) => this.positionOf(id, sign)
    root.seen = () => ({ scale: this.camera.scale, ...this.camera.view })
  }

  show(component) {
    const { data } = component
    this.trigger = component.setTriggerValue
    this.heard()
    this.data = data
    this.edges = data.edges
    // Most of the time only the selection has moved: that waits until what it is about is drawn beside the graph.
    if (data.made === this.made) this.wait ??= whenIdle(() => this.catchUp())
    else this.catchUp()
  }

  catchUp() {
    if (this.wait) forget(this.wait)
    this.wait = null
    const { data } = this
    this.readColours()
    if (!this.net) this.start()
    const came = data.made === this.made ? [] : this.place()
    this.made = data.made
    this.choose(data.selected)
    this.writeFoot()
    if (!this.looked) this.lookFirst()
    else if (data.live && !this.settled && !this.camera.touched && came.length) this.follow(came.at(-1))
    this.net.redraw()
  }

  // Python is told one thing after the other: of two at once it may hear only the later.
  send(name, value) {
    this.unsent = [...this.unsent.filter(([each]) => each !== name), [name, value]]
    if (!this.waiting) this.sendNext()
  }

  sendNext() {
    const next = this.unsent.shift()
    if (!next) return
    this.waiting = setTimeout(() => this.heard(), HEARD_AFTER_MS)
    this.trigger(...next)
  }

  heard() {
    clearTimeout(this.waiting)
    this.waiting = null
    this.sendNext()
  }

  start() {
    this.made = null
    const network = { nodes: this.nodes, edges: new this.vis.DataSet() }
    this.net = new this.vis.Network(this.canvas, network, this.data.options)
    this.canvas.firstChild.tabIndex = -1
    this.camera = new this.Camera(this.net, this.stage, this.data.run)
    this.net.on("beforeDrawing", (ctx) => this.ways.draw(ctx, this.edges, this.boxes, this.colours))
    this.net.on("afterDrawing", () => this.writeView())
    this.net.on("dragStart", () => this.tip.hide())
    this.net.on("dragEnd", () => this.camera.moved())
    this.net.on("resize", () => queueMicrotask(() => this.resize()))
    this.hands = new this.Hands(this)
    this.watch = new ResizeObserver(() => this.net.setSize())
    this.watch.observe(this.stage)
    // A graph that was taken off the page while its scripts came has no font, and nobody sees it.
    if (this.font) document.fonts.load(`600 13px ${this.font}`).then(() => { this.drawing.forgetWidths(); this.net?.redraw() })
  }

  // Colours follow the theme; a canvas has to be told. Each one costs the browser a look at all styles, so the ground is asked first.
  readColours() {
    const probe = this.root.appendChild(document.createElement("i"))
    const read = (name) => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color }
    if (read("page") !== this.colours?.page) this.colours = Object.fromEntries(this.drawing.NAMES.map((name) => [name, read(name)]))
    this.font = getComputedStyle(this.root).fontFamily
    probe.remove()
  }

  // Boxes at their places, the columns widened to fill the pane. Returns the ids of those that were not there before.
  place() {
    const { columns, nodes } = this.data
    const last = columns.at(-1)
    const total = columns.reduce((sum, each) => sum + each.width, 0)
    const wider = Math.max(1, Math.min(WIDEST, 1 + (this.camera.room() - last.left - last.width) / total))
    const now = new Map(nodes.map((node) => [node.id, this.box(node, columns, wider)]))
    const gone = [...this.boxes.keys()].filter((id) => !now.has(id))
    const came = [...now.keys()].filter((id) => !this.boxes.has(id))
    this.boxes = now
    if (gone.length) this.nodes.remove(gone)
    const changed = [...now.values()].filter((box) => {
      const text = `${box.left} ${box.top} ${box.width} ${box.height}`
      const same = this.placed.get(box.id) === text
      this.placed.set(box.id, text)
      return !same
    })
    for (const id of gone) this.placed.delete(id)
    this.nodes.update(changed.map((box) => this.node(box)))
    return came
  }

  box({ id, label, x, y, face }, columns, wider) {
    const column = columns[face.column]
    const moved = columns.slice(0, face.column).reduce((sum, each) => sum + each.width * (wider - 1), 0)
    const inside = (x - face.width / 2 - column.left) * wider
    return {
      id,
      label,
      face,
      left: Math.round(column.left + moved + inside),
      top: Math.round(y - face.height / 2),
      width: 2 * Math.round((face.width * wider) / 2),
      height: face.height,
    }
  }

  node({ id, left, top, width, height }) {
    const ctxRenderer = ({ ctx }) => ({ drawNode: () => this.drawBox(ctx, id), nodeDimensions: { width, height } })
    return { id, shape: "custom", x: left + width / 2, y: top + height / 2, ctxRenderer }
  }

  drawBox(ctx, id) {
    const box = this.boxes.get(id)
    if (!box) return
    const { colours, font } = this
    this.drawing.draw(ctx, { ...box, hovered: this.hands.under === id }, { colours, font, scale: this.camera.scale, selected: id === this.selected })
  }

  get bounds() {
    const boxes = [...this.boxes.values()]
    if (!boxes.length) return { left: 0, top: 0, width: 1, height: 1 }
    const left = Math.min(...boxes.map((each) => each.left))
    const top = Math.min(...boxes.map((each) => each.top))
    const right = Math.max(...boxes.map((each) => each.left + each.width))
    return { left, top, width: right - left, height: Math.max(...boxes.map((each) => each.top + each.height)) - top }
  }

  lookFirst() {
    if (!this.stage.clientWidth) return
    this.looked = this.stage.clientWidth
    const box = this.boxes.get(this.selected)
    if (!this.camera.recall()) {
      this.camera.first(this.bounds)
      if (!box && this.data.live) this.follow([...this.boxes.keys()].at(-1))
    }
    if (box) this.camera.reveal(box)
  }

  // The newest box comes into view, as long as nobody has moved the graph.
  follow(id) {
    const box = this.boxes.get(id)
    if (box) this.camera.reveal(box, true)
  }

  // What is selected on the page. A choice of one's own stands until Python has heard of it.
  choose(id) {
    const own = this.own && Date.now() < this.own.until ? this.own : null
    if (own && own.id !== id) return
    this.own = null
    if (id === this.selected) return
    this.selected = id
    const box = this.boxes.get(id)
    if (box && this.looked) this.camera.reveal(box)
  }

  // Chosen in the graph. Told a moment later, for somebody may be walking with the arrow keys; a click is told at once.
  select(id) {
    this.selected = id
    this.settled = true
    this.own = { id, until: Date.now() + OWN_CHOICE_MS }
    clearTimeout(this.choosing)
    this.choosing = setTimeout(() => this.sendChoice(), SEND_AFTER_MS)
    const box = this.boxes.get(id)
    this.stage.setAttribute("aria-label", box ? [box.label, box.face.figure, ...(box.face.lines ?? [])].join(", ") : this.named())
    this.camera.remember()
    this.net.redraw()
  }

  sendChoice() {
    clearTimeout(this.choosing)
    if (this.choosing) this.send("select", this.selected)
    this.choosing = null
  }

  named() {
    return `Graph of the run: ${this.data.says}. The tree beside it holds the same as a list.`
  }

  turnOver(box) {
    const value = box?.face.unfold || box?.face.fold
    if (value) this.unfold(value)
  }

  unfold(value) {
    this.tip.hide()
    this.settled = true
    this.camera.remember()
    this.sendChoice()
    this.send("unfold", value)
  }

  zoom(factor, x, y) {
    this.tip.hide()
    this.camera.zoom(factor, x, y)
    this.camera.touch()
  }

  scroll(across, down) {
    this.tip.hide()
    const moved = this.camera.scroll(across, down, this.bounds)
    if (moved) this.camera.touch()
    return moved
  }

  whole() {
    this.camera.fit(this.bounds)
    this.camera.touch()
  }

  // A wider or narrower pane is looked at anew, unless somebody has begun to work in it.
  resize() {
    const width = this.stage.clientWidth
    if (!this.net || !width) return
    this.fitFoot()
    const same = this.looked === width
    this.place()
    if (this.looked && (same || this.settled || this.camera.touched)) this.camera.hold()
    else this.lookFirst()
    const box = this.boxes.get(this.selected)
    if (box && !this.settled && !this.camera.touched) this.camera.reveal(box, true)
    this.looked = width
  }

  tell(sentence) {
    this.note.textContent = sentence
    clearTimeout(this.hinting)
    this.hinting = setTimeout(() => { this.note.textContent = "" }, HINT_MS)
  }

  writeFoot() {
    const kinds = new Set(this.data.nodes.map((node) => node.face.kind))
    const written = [...kinds].join()
    if (this.foot.written !== written) {
      this.foot.written = written
      this.count = this.panel.make("span", "count")
      this.foot.replaceChildren(this.panel.legend(kinds, this.data.share, this.data.assets, (text) => this.tell(text)), this.count)
      this.fitFoot()
    }
    if (!this.selected) this.stage.setAttribute("aria-label", this.named())
  }

  fitFoot() {
    const { foot } = this
    foot.classList.remove("narrow")
    const needed = [...foot.firstChild.children].reduce((sum, each) => sum + each.offsetWidth, COUNT_WIDTH)
    foot.classList.toggle("narrow", needed > foot.clientWidth)
  }

  // After each drawing: how large it is, and how much lies outside.
  writeView() {
    if (!this.count) return
    const outside = {}
    for (const box of this.boxes.values()) {
      const side = this.camera.side(box)
      if (side) outside[side] = (outside[side] ?? 0) + 1
    }
    const said = Object.entries(outside).map(([side, count]) => `, ${count} ${side}`)
    put(this.count, this.data.says + said.join(""))
    put(this.tools.scale, `${Math.round(this.camera.scale * 100)} %`)
  }

  // For tests: where a box, or its + or −, is on the screen.
  positionOf(id, sign) {
    const box = this.boxes.get(id)
    if (!box) return null
    const button = sign && this.drawing.buttons(box).find((each) => each.sign === sign)
    const [x, y] = button ? [button.x + button.size / 2, button.y + button.size / 2] : [box.width / 2, box.height / 2]
    const point = this.net.canvasToDOM({ x: box.left + x, y: box.top + y })
    const place = this.stage.getBoundingClientRect()
    return { x: point.x + place.left, y: point.y + place.top }
  }

  destroy() {
    if (this.wait) forget(this.wait)
    for (const timer of [this.choosing, this.waiting, this.hinting, this.hands?.tipping]) clearTimeout(timer)
    this.watch?.disconnect()
    this.net?.destroy()
    this.net = null
  }
}

const whenIdle = window.requestIdleCallback
  ? (act) => requestIdleCallback(act, { timeout: IDLE_WITHIN_MS })
  : (act) => setTimeout(act, 0)
const forget = window.cancelIdleCallback ?? clearTimeout

function put(element, text) {
  if (element.textContent !== text) element.textContent = text
}
