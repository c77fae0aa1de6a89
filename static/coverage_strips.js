// Strips of an archive: what was never shown, a legend, and a line for each document. Rows are drawn once and patched by content.
// All text comes from documents and people: it goes in by textContent only.
const WIDE = 10000
const NEAR_PX = 5
const MOVED_BY_HAND_MS = 3000
const SHOWN_IN_A_LOW_WINDOW = 3
const OUTLINED = 60 // narrower gaps are hatched only: an outline would be all there is to see of them

function bars(marks) {
  return marks.map(([at, width]) => `M${at} 0h${width}v16h${-width}z`).join("")
}

function path(name, d) {
  const drawn = document.createElementNS(SVG, "path")
  drawn.setAttribute("class", name)
  drawn.setAttribute("d", d)
  return drawn
}

function picture(row) {
  const svg = document.createElementNS(SVG, "svg")
  svg.setAttribute("viewBox", `0 0 ${WIDE} 16`)
  svg.setAttribute("preserveAspectRatio", "none")
  svg.setAttribute("aria-hidden", "true")
  for (const [name, marks] of Object.entries(row.layers)) svg.append(path(name, bars(marks)))
  svg.append(path("gap", bars(row.never.filter(([, width]) => width * (row.width / 100) >= OUTLINED))))
  const ticks = row.cited.map((at) => `M${at} -1v18`).join("")
  if (ticks) svg.append(path("edge", ticks), path("tick", row.cited.map((at) => `M${at} 0v16`).join("")))
  return svg
}

function along(name, at, width) {
  const element = make("i", name)
  element.style.left = `${(100 * at) / WIDE}%`
  if (width !== undefined) element.style.width = `${(100 * width) / WIDE}%`
  return element
}

function strip(row) {
  const drawn = make("div", "strip")
  drawn.style.width = `${row.width}%`
  drawn.append(make("span", "unread"), picture(row))
  for (const [at, width] of row.mine) drawn.append(along("mine", at, width))
  if (row.chosen) drawn.append(along("ring", row.chosen[0], row.chosen[1] - row.chosen[0]))
  return drawn
}

function drawRow(element, row) {
  element.className = row.chosen ? "row chosen" : "row"
  element.setAttribute("role", "option")
  element.setAttribute("aria-selected", Boolean(row.chosen))
  element.setAttribute("aria-label", `${row.path}: ${row.says}`)
  const name = make("span", "path")
  name.append(make("bdi", "", row.path))
  name.title = row.path
  element.replaceChildren(name, make("span", "figure", row.chars), strip(row))
}

function drawNever(each, pick) {
  const button = make("button", each.chosen ? "chosen" : "")
  button.type = "button"
  const name = make("span", "path", each.path)
  name.title = each.path
  button.append(
    make("span", "swatch never"),
    name,
    make("span", "where", each.where),
    make("span", "figure", each.chars),
    make("span", "begins", each.begins),
  )
  button.onclick = () => pick(each.document, each.share)
  return button
}

// In a low window the first three are shown; what is below them must be in view, too.
function moreOf(never) {
  const hidden = never.filter((each, number) => number >= SHOWN_IN_A_LOW_WINDOW && !each.chosen).length
  if (!hidden) return []
  const button = make("button", "more", `${hidden} more`)
  button.type = "button"
  button.onclick = () => {
    const next = button.parentElement.children[SHOWN_IN_A_LOW_WINDOW]
    button.parentElement.classList.add("unfolded")
    next.focus()
  }
  return [button]
}

// When a place was last picked in one of the parts of a page: then nothing scrolls away from under the pointer.
let pickedAt = -Infinity

class Coverage {
  data = { rows: [] }
  elements = new Map()

  constructor(root) {
    this.root = root
    this.never = root.appendChild(make("div", "never"))
    this.legend = root.appendChild(make("div", "legend"))
    this.list = root.appendChild(make("div", "rows"))
    this.scale = root.appendChild(make("div", "scale"))
    this.list.onclick = (event) => this.clicked(event)
    this.list.onkeydown = (event) => this.typed(event)
    this.list.onpointermove = (event) => this.pointed(event)
    this.list.onfocusin = (event) => this.entered(event.target)
    this.list.onfocusout = () => this.caret?.remove()
  }

  show(component) {
    const { data } = component
    this.data = data
    this.pick = (document, share) => {
      pickedAt = performance.now()
      component.setTriggerValue("pick", { document, share })
    }
    this.root.className = `coverage ${data.form}`
    this.list.setAttribute("role", "listbox")
    this.list.setAttribute("aria-label", data.label)
    this.put(this.never, data.never, () => [...data.never.map((each) => drawNever(each, (...place) => this.pick(...place))), ...moreOf(data.never)])
    this.put(this.legend, data.legend, () => data.legend.map(([name, says]) => this.told(name, says)))
    this.put(this.scale, data.scale, () => data.scale.map((each) => make("span", "", each)))
    this.drawRows(data.rows)
  }

  // Draws a part only where its content has changed, and not at all where it has none.
  put(slot, content, draw) {
    const written = JSON.stringify(content)
    slot.hidden = !content.length
    if (slot.written === written) return
    slot.written = written
    slot.replaceChildren(...draw())
  }

  told(name, says) {
    if (name === "count") return make("span", name, says)
    const element = make("span")
    element.append(make("i", `swatch ${name}`), says)
    return element
  }

  drawRows(rows) {
    this.list.hidden = !rows.length
    for (const row of rows) {
      let element = this.elements.get(row.document)
      const written = JSON.stringify(row)
      if (element?.written === written) continue
      if (!element) this.elements.set(row.document, (element = make("div")))
      element.written = written
      element.row = row
      drawRow(element, row)
    }
    arrange(this.list, rows.map((row) => this.elements.get(row.document)))
    const shown = new Set(rows.map((row) => row.document))
    for (const id of this.elements.keys()) if (!shown.has(id)) this.elements.delete(id)
    if (!this.list.querySelector("[tabindex='0']")) this.inReach(this.list.firstElementChild)
    const chosen = this.list.querySelector(".row.chosen")
    const byHand = performance.now() - pickedAt < MOVED_BY_HAND_MS
    if (chosen && this.chosen !== chosen.row.document && !byHand) settle(this.root, () => reveal(chosen, 48))
    this.chosen = chosen?.row.document
  }

  inReach(element) {
    for (const each of this.list.children) each.tabIndex = each === element ? 0 : -1
  }

  entered(element) {
    if (!element.row) return
    this.inReach(element)
  }

  rowAt(event) {
    return event.target.closest?.(".row")
  }

  // How far along its strip an event is; on a mark that is nearly there, as far as the mark.
  shareAt(event, element) {
    const box = element.querySelector(".strip").getBoundingClientRect()
    const share = Math.min(Math.max((event.clientX - box.left) / Math.max(1, box.width), 0), 1)
    const stop = this.stopNear(element.row, share, box.width)
    return { share: stop ? this.shareOf(element.row, stop) : share, stop }
  }

  stopNear(row, share, width) {
    const apart = (stop) => Math.abs(stop.at / WIDE - share) * width
    const [nearest] = row.stops.filter((stop) => stop.says.startsWith("cited")).sort((one, two) => apart(one) - apart(two))
    return nearest && apart(nearest) <= NEAR_PX ? nearest : undefined
  }

  // In the middle of the character: what comes back is rounded down.
  shareOf(row, stop) {
    return (stop.char + 0.5) / Math.max(1, row.length)
  }

  clicked(event) {
    const element = this.rowAt(event)
    if (!element || element.row.document < 0) return
    const { share } = event.target.closest(".strip") ? this.shareAt(event, element) : { share: 0 }
    this.pick(element.row.document, share)
  }

  pointed(event) {
    const element = this.rowAt(event)
    const over = event.target.closest?.(".strip")
    if (!element || !over || element.row.document < 0) return
    const { share, stop } = this.shareAt(event, element)
    const char = Math.min(Math.floor(share * element.row.length) + 1, element.row.length)
    over.title = stop?.says ?? `character ${char.toLocaleString("en")} of ${element.row.chars}`
  }

  typed(event) {
    const element = this.rowAt(event)
    if (!element || event.ctrlKey || event.metaKey || event.altKey) return
    const rows = [...this.list.children]
    const place = rows.indexOf(element)
    const keys = {
      ArrowDown: () => this.goTo(rows[place + 1]),
      ArrowUp: () => this.goTo(rows[place - 1]),
      Home: () => this.goTo(rows[0]),
      End: () => this.goTo(rows.at(-1)),
      ArrowRight: () => this.step(element, 1),
      ArrowLeft: () => this.step(element, -1),
      Enter: () => this.choose(element),
      " ": () => this.choose(element),
    }
    if (!keys[event.key]) return
    event.preventDefault()
    event.stopPropagation()
    keys[event.key]()
  }

  goTo(element) {
    if (!element) return
    this.stop = undefined
    this.caret?.remove()
    element.focus({ preventScroll: true })
    reveal(element, 48)
  }

  step(element, by) {
    const { stops } = element.row
    if (!stops.length) return
    const next = this.stop === undefined ? (by > 0 ? 0 : stops.length - 1) : this.stop + by
    this.stop = Math.min(Math.max(next, 0), stops.length - 1)
    const stop = stops[this.stop]
    this.caret?.remove()
    this.caret = along(stop.at > WIDE / 2 ? "caret late" : "caret", stop.at)
    const says = make("b", "", `${stop.says}, mark ${this.stop + 1} of ${stops.length}`)
    says.setAttribute("role", "status")
    this.caret.append(says)
    element.querySelector(".strip").append(this.caret)
  }

  choose(element) {
    const stop = element.row.stops[this.stop]
    if (element.row.document >= 0) this.pick(element.row.document, stop ? this.shareOf(element.row, stop) : 0)
  }
}

export default function (component) {
  const root = component.parentElement.querySelector(".coverage")
  root.coverage ??= new Coverage(root)
  root.coverage.show(component)
}
