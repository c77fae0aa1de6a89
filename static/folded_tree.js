// The folded tree of a run: rows that are patched by id, so that scroll, focus and folding stay while a run is under way.
const REMEMBERED = "rlm-studio folded "
const EMPTY = { parent: null, says: "", why: [], found: "", shape: "", kind: "", opens: "", unfold: null, bar: null, took: "", figure: "" }
const HINT_CHARS = 200

function drawRow(element, row) {
  element.className = `row ${row.kind} ${row.found ? "found" : ""}`
  element.setAttribute("role", "treeitem")
  element.setAttribute("aria-level", row.level)
  element.style.setProperty("--level", row.level)
  element.title = row.hint || `${row.title} ${row.says}`.trim().slice(0, HINT_CHARS)
  const toggle = make("span", "toggle")
  if (row.opens) toggle.append(shape("chevron"))
  const name = make("span", "name")
  name.append(make("span", row.strong ? "title strong" : "title", row.title))
  if (row.found) name.append(" ", make("span", "says found", row.found))
  row.why.forEach((each, place) => name.append(" ", make("span", row.failed && !place ? "why bad" : "why", each)))
  if (row.says) name.append(" ", make("span", "says", row.says))
  element.replaceChildren(toggle, row.shape ? shape(row.shape) : make("span", "shape"), name)
  if (row.running) element.append(make("span", "dot"))
  element.append(make("span", "took", row.took), amount(row))
}

// What it cost, and below that how much of the run's it is.
function amount(row) {
  const drawn = make("span", "amount")
  drawn.append(make("span", row.unknown ? "figure unknown" : "figure", row.figure))
  if (row.bar) drawn.append(bar(row))
  return drawn
}

function bar(row) {
  const drawn = make("span", row.unknown ? "bar hatched" : `bar ${row.shape}`)
  for (const [tag, share] of [["i", row.bar[1]], ["b", row.bar[0]]]) {
    const part = drawn.appendChild(make(tag))
    part.style.width = `${share}%`
  }
  return drawn
}

class FoldedTree {
  rows = new Map()
  following = new Following()
  data = { rows: [] }

  constructor(root) {
    this.root = root
    this.head = root.appendChild(make("div", "head"))
    this.list = root.appendChild(make("div", "rows"))
    this.list.setAttribute("role", "tree")
    this.list.setAttribute("aria-label", "Nodes of this run")
    this.list.onmousedown = (event) => this.pressed(event)
    this.list.onclick = (event) => this.clicked(event)
    this.list.onkeydown = (event) => this.typed(event)
    this.list.onfocusin = (event) => this.setFocusable(event.target.dataset.id)
  }

  show(component) {
    const data = { ...component.data, rows: component.data.rows.map((row) => ({ ...EMPTY, ...row })) }
    this.component = component
    if (data.run !== this.data.run) {
      this.folded = new Set(JSON.parse(sessionStorage.getItem(REMEMBERED + data.run) ?? "[]"))
    }
    const elsewhere = this.following.arrives(component, data.node)
    this.data = data
    this.byId = new Map(data.rows.map((row) => [row.id, row]))
    if (elsewhere) this.openAbove(data.selected)
    this.draw()
    this.moveFocus()
    if (elsewhere && this.rows.has(data.selected)) settle(this.root, () => this.reveal(data.selected))
  }

  draw() {
    const { rows, count, columns, hints, searched } = this.data
    this.root.classList.toggle("searched", searched)
    const written = JSON.stringify([count, columns, hints])
    if (this.head.written !== written) {
      this.head.written = written
      const [took, bars, figures] = ["took", "bars", "figures"].map((name, place) => make("span", name, columns[place]))
      ;[took.title, bars.title, figures.title] = hints
      this.head.replaceChildren(make("span", "count", count), took, bars, figures)
    }
    for (const row of rows) this.patch(row)
    arrange(this.list, rows.map((row) => this.rows.get(row.id)))
    for (const id of this.rows.keys()) if (!this.byId.has(id)) this.rows.delete(id)
    this.mark()
  }

  patch(row) {
    let element = this.rows.get(row.id)
    const written = JSON.stringify(row)
    if (element?.written === written) return
    if (!element) {
      element = make("div")
      element.dataset.id = row.id
      element.tabIndex = -1
      this.rows.set(row.id, element)
    }
    element.written = written
    drawRow(element, row)
  }

  // What is folded, selected and in reach of the Tab key: all that changes without a word from the server.
  mark() {
    const selected = this.following.ahead ?? this.data.selected
    let foldedBelow = Infinity
    for (const row of this.data.rows) {
      const element = this.rows.get(row.id)
      element.hidden = row.level > foldedBelow
      if (!element.hidden) foldedBelow = this.folded.has(row.id) ? row.level : Infinity
      element.classList.toggle("selected", row.id === selected)
      element.setAttribute("aria-selected", row.id === selected)
      if (row.opens) element.setAttribute("aria-expanded", this.isOpen(row))
      else element.removeAttribute("aria-expanded")
    }
    this.setFocusable(this.shown().some((row) => row.id === this.focusable) ? this.focusable : selected)
  }

  setFocusable(id) {
    const shown = this.shown()
    const row = shown.find((each) => each.id === id) ?? shown[0]
    if (!row) return
    const before = this.rows.get(this.focusable)
    if (before) before.tabIndex = -1
    this.focusable = row.id
    this.rows.get(row.id).tabIndex = 0
  }

  shown() {
    return this.data.rows.filter((row) => !this.rows.get(row.id).hidden)
  }

  isOpen(row) {
    return row.opens === "here" && !this.folded.has(row.id)
  }

  openAbove(id) {
    for (let row = this.byId.get(this.byId.get(id)?.parent); row; row = this.byId.get(row.parent)) this.fold(row, false)
  }

  fold(row, folded) {
    if (folded) this.folded.add(row.id)
    else this.folded.delete(row.id)
    sessionStorage.setItem(REMEMBERED + this.data.run, JSON.stringify([...this.folded]))
  }

  // A branch is folded here; what was never sent is asked for.
  toggle(row) {
    if (row.opens === "server") this.unfold(row)
    else {
      this.fold(row, this.isOpen(row))
      this.mark()
    }
  }

  unfold(row) {
    this.awaited = { opened: this.data.opened, known: new Set(this.byId.keys()), group: row.kind ? row.parent : row.id }
    this.following.tell(this.component, "unfold", row.unfold)
  }

  // When rows that were asked for have come, the focus is on the first of them; when they are gone, on their group.
  moveFocus() {
    if (!this.awaited || this.awaited.opened === this.data.opened) return
    const { known, group } = this.awaited
    this.awaited = null
    const row = this.data.rows.find((each) => !known.has(each.id) && !each.kind) ?? this.byId.get(group)
    if (row && !this.rows.get(row.id).hidden) this.focus(row)
  }

  focus(row) {
    const element = this.rows.get(row.id)
    element.focus({ preventScroll: true })
    this.reveal(row.id)
  }

  reveal(id) {
    const element = this.rows.get(id)
    if (element) reveal(element, this.head.offsetHeight + parseFloat(getComputedStyle(this.head).top))
  }

  act(row) {
    if (row.kind) return this.unfold(row)
    this.following.send(this.component, row.id)
    this.mark()
  }

  rowAt(event) {
    const element = event.target.closest?.(".row")
    return element ? this.byId.get(element.dataset.id) : undefined
  }

  // The focus goes to the row without the browser scrolling to it: the row would move away from under the pointer.
  pressed(event) {
    const row = this.rowAt(event)
    if (!row || event.button) return
    event.preventDefault()
    this.rows.get(row.id).focus({ preventScroll: true })
  }

  clicked(event) {
    const row = this.rowAt(event)
    if (!row) return
    if (row.opens && event.target.closest(".toggle")) this.toggle(row)
    else this.act(row)
  }

  typed(event) {
    const row = this.rowAt(event)
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const shown = this.shown()
    const place = shown.indexOf(row)
    const acts = {
      down: () => this.step(shown[place + 1]),
      up: () => this.step(shown[place - 1]),
      first: () => this.step(shown[0]),
      last: () => this.step(shown.at(-1)),
      unfold: () => (row.opens && !this.isOpen(row) ? this.toggle(row) : row.opens && this.step(shown[place + 1])),
      fold: () => (this.isOpen(row) ? this.toggle(row) : this.step(this.byId.get(row.parent))),
      choose: () => this.act(row),
    }
    const act = acts[this.data.keys[event.key]]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  step(row) {
    if (row) this.focus(row)
  }
}

export default function (component) {
  const root = component.parentElement.querySelector(".folded-tree")
  root.tree ??= new FoldedTree(root)
  root.tree.show(component)
  return () => root.tree.following.close()
}
