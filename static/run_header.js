// The head of a run's page, and rows of figures elsewhere. All text comes from people, models and documents: it goes in by textContent only.
const NO_VALUES = ["unknown", "none yet", "not yet"]
const NARROW = window.matchMedia("(max-width: 1100px)")
const ROWS = { wide: 3, narrow: 1 }
const ROW_CHARS = { wide: 115, narrow: 100 }
const MARK_CHARS = 3
const WORD = /\S{0,40}$/
const BEHIND = /^[,.;:!?)\]]*/
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

// A small number behind a cited item: a button that selects the finding it rests on.
function mark(cited, send) {
  const button = make("button", "mark", String(cited.number))
  button.type = "button"
  button.title = cited.says
  button.setAttribute("aria-label", `Evidence ${cited.number}: ${cited.says}`)
  button.finding = cited.finding
  button.onclick = () => send(cited.finding)
  return button
}

// The pieces of an answer by its lines: each piece is a text, and a mark behind it where there is one.
function linesOf(pieces) {
  const lines = [[]]
  for (const piece of pieces) {
    piece.text.split("\n").forEach((text, number, all) => {
      if (number) lines.push([])
      const cited = number === all.length - 1 ? piece.cited : undefined
      if (text || cited) lines.at(-1).push({ text, cited })
    })
  }
  return lines
}

function charsOf(line) {
  return line.reduce((sum, piece) => sum + piece.text.length + (piece.cited ? MARK_CHARS : 0), 0)
}

// As many characters of a line as there is room for, cut at a word where it can be.
function cut(line, chars) {
  const kept = []
  let left = chars
  for (const piece of line) {
    if (piece.text.length > left) {
      const word = piece.text.lastIndexOf(" ", left)
      kept.push({ text: `${piece.text.slice(0, word > 0 ? word : left)} …` })
      return kept
    }
    kept.push(piece)
    left -= piece.text.length + (piece.cited ? MARK_CHARS : 0)
  }
  return kept
}

// The first lines of an answer as far as they fill so many rows, and how many lines are left.
function beginning(lines, rows, rowChars) {
  const shown = []
  const rowsOf = line => Math.max(1, Math.ceil(charsOf(line) / rowChars))
  let left = rows
  if (lines.reduce((sum, line) => sum + rowsOf(line), 0) <= rows + 1) return { shown: lines, hidden: 0, fits: true }
  for (const line of lines) {
    const needed = rowsOf(line)
    if (needed > left) {
      if (!shown.length) shown.push(cut(line, left * rowChars))
      break
    }
    shown.push(line)
    left -= needed
  }
  return { shown, hidden: lines.length - shown.length, fits: false }
}

// A line as it is drawn: an item, its mark and the sign behind it are never parted at the end of a row.
function drawn(line, send) {
  const parts = []
  let before = null
  for (const { text, cited } of line) {
    const [sign] = before ? BEHIND.exec(text) : [""]
    before?.append(sign)
    const said = text.slice(sign.length)
    const [word] = cited ? WORD.exec(said) : [""]
    parts.push(said.slice(0, said.length - word.length))
    before = cited ? make("span", "cited", word) : null
    if (cited) before.append(mark(cited, send))
    if (cited) parts.push(before)
  }
  return parts
}

// A long answer shows its first rows, fewer in a narrow window, and says how many more lines there are. Unfolded it scrolls in a
// box of its own, and what folds it again stands below that.
function answer(pieces, root) {
  const box = make("div", "answer")
  const said = make("div", "lines")
  const toggle = make("button", "more")
  const lines = linesOf(pieces)
  toggle.type = "button"
  toggle.onclick = () => {
    root.unfolded = !root.unfolded
    draw()
    toggle.focus()
  }
  function draw() {
    const form = NARROW.matches ? "narrow" : "wide"
    const first = beginning(lines, ROWS[form], ROW_CHARS[form])
    said.replaceChildren()
    ;(root.unfolded ? lines : first.shown).forEach((line, number) => {
      if (number) said.append("\n")
      said.append(...drawn(line, finding => root.send("select", finding)))
    })
    const rest = first.hidden ? `and ${first.hidden} more ${first.hidden === 1 ? "line" : "lines"}` : "and the rest of it"
    box.replaceChildren(said)
    if (!first.fits) (root.unfolded ? box : said).append(toggle)
    said.classList.toggle("whole", Boolean(root.unfolded))
    if (root.unfolded) said.tabIndex = 0
    else said.removeAttribute("tabindex")
    toggle.textContent = root.unfolded ? "fewer lines" : rest
    toggle.setAttribute("aria-expanded", Boolean(root.unfolded))
    pressed(root)
  }
  root.redraw = draw
  draw()
  return box
}

// The mark of the finding that is selected stands out.
function pressed(root) {
  for (const button of root.querySelectorAll(".mark")) {
    button.setAttribute("aria-pressed", button.finding === root.selected)
  }
}

// A long question shows its first rows, and all of it on demand.
function question(text, unrecorded) {
  const row = make("div", "asked")
  const said = make("h1", unrecorded ? "question unrecorded" : "question", text)
  const toggle = make("button", "more")
  const unfold = open => {
    said.classList.toggle("whole", open)
    toggle.setAttribute("aria-expanded", open)
    toggle.textContent = open ? "less" : "all of it"
    toggle.hidden = !open && said.scrollHeight <= said.clientHeight + 1
  }
  toggle.type = "button"
  toggle.onclick = () => unfold(!said.classList.contains("whole"))
  row.append(said, toggle)
  new ResizeObserver(() => unfold(said.classList.contains("whole"))).observe(said)
  return row
}

function badge(data) {
  const badge = make("span", `badge ${data.waits ? "waits" : data.state}`)
  if (data.live) badge.append(make("span", "dot"))
  badge.append(document.createTextNode(data.state_in_words))
  return badge
}

function state(data) {
  const line = make("div", "state")
  line.append(badge(data), ...data.notices.map(each => make("span", "notice", each)), make("span", "reason", data.reason))
  return line
}

// Where there is nothing to say but the state, it stands before the answer.
function answerRow(data, beside, root) {
  const row = make("div", data.answer.length ? "answer-row" : "answer-row none")
  if (data.answer.length) row.append(diamond(), ...(beside ? [badge(data)] : []), answer(data.answer, root))
  else if (data.awaited) row.append(diamond(), make("div", "answer", data.awaited))
  else row.hidden = true
  return row
}

// A figure of which a view of the run says more is a button that opens the view.
function value(each, send) {
  const name = NO_VALUES.includes(each.value) ? "value unknown" : "value"
  if (!each.opens) return make("dd", name, each.value)
  const said = make("dd", name)
  const button = make("button", "open", each.value)
  button.type = "button"
  button.setAttribute("aria-label", `${each.label}: ${each.value} ${each.note}. Open the view`)
  button.onclick = () => send("open", each.opens)
  said.append(button)
  return said
}

function figures(list, name, send) {
  const grid = make("dl", name)
  for (const each of list) {
    const cell = make("div", "")
    if (each.help) cell.title = each.help
    cell.append(
      make("dt", "label", each.label),
      value(each, send),
      make("dd", "note", each.note),
    )
    grid.append(cell)
  }
  return grid
}

// Draws a part only where its content has changed: a live run must not disturb what somebody selects or has opened.
function put(within, name, content, draw) {
  const slot = within.querySelector(`:scope > .${name}`) ?? within.appendChild(make("div", name))
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
  root.send = component.setTriggerValue
  root.selected = head.selected
  if (!alone) {
    const said = root.querySelector(":scope > .said") ?? root.appendChild(make("div", "said"))
    const { question: asked, unrecorded, answer: pieces, awaited, selected, ...rest } = head
    put(said, "asked", asked, () => question(asked, unrecorded))
    const beside = pieces.length > 0 && !rest.notices.length && !rest.reason
    put(said, "state", [rest, beside], () => (beside ? make("div", "state none") : state(rest)))
    put(said, "answer-row", [pieces, awaited, beside && rest.state], () => answerRow(head, beside, root))
    pressed(root)
  }
  put(root, "figures", list, () => figures(list, alone ? "figures alone" : "figures", root.send))
  NARROW.removeEventListener("change", root.onNarrow)
  root.onNarrow = () => root.redraw?.()
  NARROW.addEventListener("change", root.onNarrow)
  return () => NARROW.removeEventListener("change", root.onNarrow)
}
