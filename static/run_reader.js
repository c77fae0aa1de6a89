// A run as a notebook. Blocks are patched by id and their parts by content: what somebody reads, has opened or has half
// selected stays as it is while a run is under way.
const AT_END_PX = 24
const SHOWN_AT = 0.1 // of the pane: there stands what is brought into view, for what follows it matters more than what was before
const QUIET_MS = 150
const DRAG_PX = 4

function put(slot, content, draw) {
  const written = JSON.stringify(content)
  if (slot.written === written) return
  slot.written = written
  slot.replaceChildren(...draw(content))
}

// ---- texts

function pieces(list, reader) {
  return list.map((piece) => (typeof piece === "string" ? make("span", "text", piece) : gap(piece, reader)))
}

// A count in the place of what is not shown, and a button that shows it: here, or, where it was not sent, in pages of its own.
function gap(piece, reader) {
  if (piece.inside.length) return folding(piece.words, piece.button, piece.hatched, () => pieces(piece.inside, reader))
  const line = gapLine(piece.words, piece.button, piece.hatched)
  line.lastChild.dataset.act = "open"
  return line
}

function gapLine(words, says, hatched) {
  const line = make("div", hatched ? "gap hatched" : "gap")
  line.append(make("span", "", `… ${words}`), make("button", "link", says))
  return line
}

// What is folded away is drawn when it is asked for.
function folding(words, says, hatched, draw) {
  const box = make("div")
  const button = box.appendChild(gapLine(words, says, hatched)).lastChild
  const inside = box.appendChild(make("div", hatched ? "inside hatched" : "inside"))
  inside.hidden = true
  button.setAttribute("aria-expanded", "false")
  button.onclick = () => {
    inside.hidden = !inside.hidden
    if (!inside.childNodes.length) inside.append(...draw())
    button.textContent = inside.hidden ? says : "fold again"
    button.setAttribute("aria-expanded", !inside.hidden)
  }
  return box
}

function codeLine(line, number, failed) {
  const row = make("div", number === failed ? "line failed-line" : "line")
  row.dataset.number = number
  const text = row.appendChild(make("span"))
  for (const [name, said] of line) text.append(name ? make("span", name, said) : said)
  text.append("\n")
  if (number === failed) row.setAttribute("aria-label", `line ${number}, where the cell failed`)
  return row
}

function code(part, reader) {
  const lines = (from, to) => part.lines.slice(from, to).map((line, place) => codeLine(line, from + place + 1, part.failed))
  const missing = part.lines.length - part.shown
  if (!missing) return [...lines(0), ...pieces(part.gap, reader)]
  const rest = () => [...lines(part.shown), ...pieces(part.gap, reader)]
  return [...lines(0, part.shown), folding(`${missing.toLocaleString("en")} more lines`, "show them", false, rest)]
}

// Rows of which a few are in sight, the others folded away, and what is not sent at all is for the inspector.
function rows(content, draw) {
  const drawn = content.rows.slice(0, content.shown).map(draw)
  const rest = content.rows.slice(content.shown)
  if (rest.length || content.more) {
    const line = content.more ? gapLine(`${content.more.toLocaleString("en")} more`, "see them beside this") : null
    if (line) line.lastChild.dataset.act = "select"
    const inside = () => [...rest.map(draw), ...(line ? [line] : [])]
    drawn.push(folding(`${(rest.length + content.more).toLocaleString("en")} more`, "show them", false, inside))
  }
  return drawn
}

function variable([name, type, size, change, preview]) {
  const row = make("div", "variable")
  row.append(make("span", "name", name), make("span", "type", type), make("span", "size", size))
  row.append(make("span", change === "new" ? "change new" : "change", change), make("span", "preview", preview))
  return row
}

function finding(each) {
  const row = make("button", "finding")
  row.dataset.act = "select"
  row.dataset.mark = each.span
  row.append(make("b", "item", each.item), make("span", "label", each.label), make("span", "verdict", each.verdict))
  row.append(make("span", "quote", each.quote ? `“${each.quote}”` : ""))
  return row
}

function part(content, reader) {
  if (content.type === "code") return code(content, reader)
  if (content.type === "variables") return rows(content, variable)
  if (content.type === "findings") return rows(content, finding)
  const drawn = pieces(content.pieces, reader)
  if (content.whole) {
    const open = make("button", "link whole", content.whole)
    open.dataset.act = "open"
    drawn.push(open)
  }
  if (content.type !== "error" && content.type !== "note") return drawn
  const beside = make("div")
  beside.append(...drawn)
  return [shape(content.type === "error" ? "failed" : "note"), beside]
}

// ---- blocks

function headOf(block) {
  const title = make("button", "title", block.title)
  title.dataset.act = "select"
  const heading = make(block.kind === "turn" || block.kind === "answer" ? "h3" : "h4", "heading")
  heading.append(title)
  const head = [shape(block.shape), heading]
  if (block.beside) head.push(make("span", "beside", block.beside))
  if (block.ended) head.push(make("span", "ended", block.ended))
  if (block.good) head.push(make("span", "good-later", block.good))
  head.push(make("span", "facts", block.facts))
  if (block.running) head.push(make("span", "dot"))
  return head
}

function rowOf(block) {
  const name = make("span", "name")
  name.append(make("span", "title", block.title))
  if (block.state) name.append(" ", make("span", `state ${block.state === "ok" ? "good" : block.failed ? "bad" : ""}`, block.state))
  if (block.good) name.append(", ", make("span", "good-later", block.good))
  if (block.beside) name.append(" ", make("span", "beside", block.beside))
  const facts = make("span", "facts", block.facts)
  for (const [count, label] of block.labels ?? []) {
    if (facts.childNodes.length) facts.append(" · ")
    facts.append(make("b", "", count), ` ${label}`)
  }
  const row = [shape(block.shape), name]
  if (block.running) row.push(make("span", "dot"))
  return [...row, facts, shape("chevron")]
}

// The end of what there is: while it is wanted it stays in view, however late the page round it gets its sizes, until
// somebody scrolls away from it.
class End {
  wanted = false
  touched = false
  left = false

  constructor(root, bottom, stuck) {
    this.bottom = bottom
    this.stuck = stuck
    this.pane = paneOf(root)
    this.control = new AbortController()
    const listening = { capture: true, passive: true, signal: this.control.signal }
    for (const each of ["wheel", "pointerdown", "keydown", "touchstart"]) document.addEventListener(each, () => (this.touched = true), listening)
    document.addEventListener("scroll", () => this.touched && (this.left = !this.inView()), listening)
    this.watching = new ResizeObserver(() => this.show())
    for (const each of [this.pane, ...this.pane.children, root]) this.watching.observe(each)
  }

  keep(wanted) {
    this.wanted = wanted
    this.show()
  }

  show() {
    if (this.wanted && !this.left) reveal(this.bottom, this.stuck())
  }

  inView() {
    const [, lower] = shownIn(this.pane)
    return this.bottom.getBoundingClientRect().bottom <= lower + AT_END_PX
  }

  close() {
    this.control.abort()
    this.watching.disconnect()
  }
}

class RunReader {
  blocks = new Map()
  following = new Following()
  data = { blocks: [] }

  constructor(root) {
    this.root = root
    this.top = root.appendChild(make("div", "top"))
    this.list = root.appendChild(make("div", "blocks"))
    this.bottom = root.appendChild(make("div", "bottom"))
    root.onmousedown = (event) => (this.downAt = [event.clientX, event.clientY])
    root.onclick = (event) => this.clicked(event)
    this.onkey = (event) => this.typed(event)
    document.addEventListener("keydown", this.onkey)
    this.end = new End(root, this.bottom, () => this.stuck())
    this.found = new Found("found-reader", this.list, ".part")
  }

  close() {
    clearTimeout(this.quiet)
    this.following.close()
    this.end.close()
    this.found.close()
    document.removeEventListener("keydown", this.onkey)
  }

  show(component) {
    const data = component.data
    const first = !this.component
    this.component = component
    const elsewhere = this.following.arrives(component, data.node)
    const turned = !first && data.blocks[0]?.id !== this.data.blocks[0]?.id
    this.data = data
    this.byId = new Map(data.blocks.map((block) => [block.id, block]))
    this.draw()
    if (elsewhere || turned) this.reveal(data.selected)
    this.found.look(data.find)
    this.end.keep(data.live && !data.selected && !data.after)
  }

  draw() {
    const { data } = this
    put(this.top, [data.count, data.before, data.failures?.words, data.failures?.next], () => this.topLine())
    put(this.bottom, [data.after], () => (data.after ? [this.pageButton(data.after, "next")] : []))
    for (const block of data.blocks) this.patch(block)
    arrange(this.list, data.blocks.map((block) => this.blocks.get(block.id)))
    for (const id of this.blocks.keys()) if (!this.byId.has(id)) this.blocks.delete(id)
    this.mark()
  }

  topLine() {
    const keys = make("span", "keys")
    for (const [key, says] of [["j", "next step"], ["k", "back"], ["J K", "failures"]]) keys.append(make("kbd", "", key), ` ${says} `)
    const count = make("span", "count", this.data.count)
    const line = this.data.before ? [count, this.pageButton(this.data.before, "before")] : [count]
    return this.data.failures ? [...line, this.failureButton(), keys] : [...line, keys]
  }

  failureButton() {
    const { words, next } = this.data.failures
    const button = make("button", "link failures", words)
    button.onclick = () => this.go(next)
    return button
  }

  pageButton(page, way) {
    const button = make("button", "link", way === "next" ? `go on: ${page.words}` : `back: ${page.words}`)
    button.onclick = () => this.select(page.mark)
    return button
  }

  patch(block) {
    let element = this.blocks.get(block.id)
    const isRow = block.kind === "row"
    if (!element) {
      element = make("section")
      element.dataset.id = block.id
      const head = element.appendChild(make(isRow ? "button" : "div", isRow ? "row" : "head"))
      if (isRow) head.dataset.act = "select"
      this.blocks.set(block.id, element)
    }
    element.className = `block of-${block.kind}${block.failed ? " bad-end" : block.good ? " made-good" : ""}`
    element.style.setProperty("--depth", block.depth)
    const { parts = [], ...head } = block
    put(element.firstChild, head, isRow ? rowOf : headOf)
    parts.forEach((content, place) => {
      const slot = element.children[place + 1] ?? element.appendChild(make("div"))
      slot.className = `part ${content.type}-part`
      slot.dataset.text = content.text ?? ""
      put(slot, content, () => part(content, this))
    })
    while (element.children.length > parts.length + 1) element.lastChild.remove()
  }

  get selected() {
    return this.pending ?? this.following.ahead ?? this.data.selected
  }

  mark() {
    for (const [id, element] of this.blocks) {
      element.classList.toggle("selected", id === this.selected)
      if (id === this.selected) element.setAttribute("aria-current", "true")
      else element.removeAttribute("aria-current")
    }
    const chosen = this.following.ahead ?? this.data.node
    for (const row of this.list.querySelectorAll(".finding")) row.classList.toggle("chosen", row.dataset.mark === chosen)
  }

  // Blocks that were never drawn have a height that is only guessed, so it is looked at again once they are.
  reveal(id) {
    const act = () => this.blocks.has(id) && reveal(this.blocks.get(id), this.stuck(), SHOWN_AT)
    settle(this.root, act)
  }

  // What sticks to the upper edge of the pane: the switch between the views of the run.
  stuck() {
    return paneOf(this.root).querySelector?.(".st-key-view")?.offsetHeight ?? 0
  }

  select(id) {
    clearTimeout(this.quiet)
    this.pending = undefined
    this.following.send(this.component, id)
    this.mark()
  }

  // A click anywhere in a block selects it, unless it ends the selecting of text, or is meant for a button.
  clicked(event) {
    const element = event.target.closest(".block")
    const control = event.target.closest("button, a")
    if (!element || (control && !control.dataset.act)) return
    const block = this.byId.get(element.dataset.id)
    const [x, y] = this.downAt ?? [event.clientX, event.clientY]
    const dragged = event.detail > 0 && Math.hypot(event.clientX - x, event.clientY - y) > DRAG_PX
    if (!control && (dragged || event.detail > 1 || this.selectedText())) return
    const what = control?.closest(".part")?.dataset.text
    if (control?.dataset.act === "open" && what) this.following.tell(this.component, "open", `${block.id} ${what}`)
    else if (control?.dataset.mark) this.select(control.dataset.mark)
    else if (block.unfold) this.following.tell(this.component, "unfold", block.unfold)
    else this.select(block.mark)
  }

  selectedText() {
    const root = this.root.getRootNode()
    const selection = root.getSelection ? root.getSelection() : document.getSelection()
    return selection?.type === "Range" && String(selection) !== ""
  }

  typed(event) {
    const does = this.data.keys?.[event.key]
    const way = { next: 1, before: -1, "next failure": 1, "failure before": -1 }[does]
    if (!way || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event)) return
    event.preventDefault()
    this.step(way, does.includes("failure"))
  }

  // From what is selected to the next step, or failure; without a selection from the first one in view.
  step(way, failures) {
    const steps = this.data.blocks.filter((block) => block.id === block.mark)
    let place = steps.findIndex((block) => block.id === this.selected)
    if (place < 0) place = this.firstInView(steps) - (way > 0 ? 1 : 0)
    do place += way
    while (failures && steps[place] && !steps[place].failed)
    const next = steps[place]
    const failure = failures && !next && this.failureElsewhere(way)
    if (failure) return this.go(failure)
    const turn = way > 0 ? this.data.after : this.data.before
    if (!next && (failures || !turn)) return
    this.go(next ? next.id : turn.mark)
  }

  // A failure on another page; the button leads from the last one to the first again, the key does not.
  failureElsewhere(way) {
    const { next, before, last } = this.data.failures ?? {}
    const found = way > 0 ? (last ? null : next) : before
    return found && !this.blocks.has(found) ? found : null
  }

  firstInView(steps) {
    const [upper] = shownIn(paneOf(this.root), this.stuck())
    const place = steps.findIndex((block) => this.blocks.get(block.id).getBoundingClientRect().bottom > upper)
    return Math.max(0, place)
  }

  // Held keys go ahead here; the page follows when they rest.
  go(id) {
    this.pending = id
    this.mark()
    this.reveal(id)
    clearTimeout(this.quiet)
    this.quiet = setTimeout(() => this.select(id), QUIET_MS)
  }
}

export default function (component) {
  const root = component.parentElement.querySelector(".run-reader")
  root.reader ??= new RunReader(root)
  root.reader.show(component)
  return () => root.reader.close()
}
