// A window of a document's lines, with marks in them, and a strip that shows where in the document it is.
// Everything from the document goes in by textContent only.
const WAIT_MS = 400

function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

function button(name, text, label, act) {
  const made = make("button", name, text)
  made.type = "button"
  if (label) made.setAttribute("aria-label", label)
  made.onclick = act
  return made
}

function build(root) {
  const parts = { root, send: () => {}, data: {} }
  const about = make("div", "about")
  parts.path = make("span", "path")
  parts.facts = make("span", "facts")
  parts.range = make("span", "range")
  const tools = make("div", "tools")
  tools.append(search(parts), jump(parts), parts.range)
  about.append(parts.path, parts.facts, tools)
  parts.notice = make("div", "notice")
  const body = make("div", "body")
  parts.text = make("div", "text")
  parts.text.tabIndex = 0
  parts.text.setAttribute("role", "region")
  body.append(parts.text, strip(parts))
  parts.legend = make("div", "legend")
  root.replaceChildren(about, parts.notice, body, parts.legend)

  let drawing = 0
  parts.text.onscroll = () => {
    cancelAnimationFrame(drawing)
    drawing = requestAnimationFrame(() => place(parts))
  }
  // There is nothing to scroll to before the text has a size.
  parts.watching = new ResizeObserver(() => settle(parts))
  parts.watching.observe(parts.text)
  return parts
}

function search(parts) {
  const box = make("div", "find")
  box.setAttribute("role", "search")
  const input = make("input", "words")
  input.type = "search"
  input.placeholder = "Find in document"
  input.maxLength = 200
  input.setAttribute("aria-label", "Find in document")
  parts.found = make("span", "found")
  parts.found.setAttribute("role", "status")
  const step = (by) => {
    const { find, hit, hits } = parts.data
    if (input.value !== find) ask(1)
    else if (hits) ask(by > 0 ? (hit % hits) + 1 : hit > 1 ? hit - 1 : hits)
  }
  const ask = (hit) => {
    clearTimeout(waiting)
    parts.send("find", { words: input.value, hit })
  }
  let waiting
  input.oninput = () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => ask(1), WAIT_MS)
  }
  input.onkeydown = (event) => {
    event.stopPropagation() // what is typed here must not work as a shortcut of the page
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1)
  }
  parts.words = input
  parts.steps = make("span", "steps")
  parts.steps.append(
    button("step", "↑", "Previous hit", () => step(-1)),
    button("step", "↓", "Next hit", () => step(1)),
  )
  box.append(input, parts.found, parts.steps)
  return box
}

// To a page, a sheet, ... by its name.
function jump(parts) {
  const box = make("div", "units")
  const input = make("input", "words")
  const names = make("datalist", "")
  names.id = "unit-names"
  input.setAttribute("list", names.id)
  input.maxLength = 100
  const go = () => input.value.trim() && parts.send("unit", input.value.trim())
  input.onkeydown = (event) => {
    event.stopPropagation()
    if (event.key === "Enter") go()
  }
  input.onchange = go // one that was chosen from the list
  parts.jump = { box, input, names }
  box.append(input, names)
  return box
}

function offer({ box, input, names }, units) {
  box.hidden = !units
  if (!units) return
  input.placeholder = `Go to ${units.kind}`
  input.setAttribute("aria-label", `Go to one of ${units.many.toLocaleString("en")} ${units.kind}s`)
  put(names, units.labels, () =>
    units.labels.map((label) => {
      const option = document.createElement("option")
      option.value = label
      return option
    }),
  )
}

const SVG = "http://www.w3.org/2000/svg"

// What was shown of the document, along its strip.
function layers(strip) {
  const svg = document.createElementNS(SVG, "svg")
  svg.setAttribute("viewBox", "0 0 8 10000")
  svg.setAttribute("preserveAspectRatio", "none")
  svg.setAttribute("aria-hidden", "true")
  for (const [name, marks] of Object.entries(strip)) {
    const path = document.createElementNS(SVG, "path")
    path.setAttribute("class", name)
    path.setAttribute("d", marks.map(([at, width]) => `M0 ${at}h8v${width}h-8z`).join(""))
    svg.append(path)
  }
  return svg
}

function strip(parts) {
  const box = make("div", "strip")
  parts.track = make("span", "track")
  parts.shown = make("span", "shown")
  parts.quoteTick = make("span", "tick quote")
  parts.hitTick = make("span", "tick hit")
  const slider = make("input", "")
  slider.type = "range"
  slider.min = 1
  slider.setAttribute("aria-label", "Place in the document, by line")
  slider.onchange = () => go(parts, Number(slider.value))
  parts.slider = slider
  parts.cited = make("span", "cites")
  box.append(parts.track, parts.cited, parts.quoteTick, parts.hitTick, parts.shown, slider)
  return box
}

function lines(parts, data) {
  const digits = String(data.lines.at(-1)?.number ?? 1).length
  parts.text.style.setProperty("--digits", digits)
  const first = data.lines[0]?.number ?? 1
  const last = data.lines.at(-1)?.number ?? 0
  const drawn = data.lines.flatMap((each) => (each.unit ? [make("div", "unit", capital(each.unit))] : []).concat(line(each, data.line)))
  if (first > 1) drawn.unshift(more(parts, "↑", first - 1, "earlier", first - 1))
  if (last < data.total) drawn.push(more(parts, "↓", data.total - last, "later", last + 1))
  if (!data.lines.length) drawn.push(make("p", "none", "This document is empty."))
  return drawn
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function more(parts, arrow, many, which, line) {
  const words = `${arrow} ${many.toLocaleString("en")} ${which} ${many === 1 ? "line" : "lines"}`
  return button("more", words, "", () => parts.send("jump", line))
}

function line(each, current) {
  const row = make("div", `line ${each.number === current ? "current" : ""} ${each.shown}`)
  row.number = each.number
  const words = make("span", "said")
  if (each.before) words.append(make("span", "gap", each.before))
  for (const [text, marks] of each.pieces) {
    words.append(marks ? make("mark", marks, text) : document.createTextNode(text))
  }
  if (each.after) words.append(make("span", "gap", each.after))
  row.append(make("i", "", each.number.toLocaleString("en")), words)
  return row
}

// Goes to a line: by scrolling where it is in the window, else by asking for another window.
function go(parts, number) {
  const row = rows(parts).find((each) => each.number === number)
  if (row) parts.text.scrollTop = row.offsetTop
  else parts.send("jump", number)
}

function rows(parts) {
  return [...parts.text.children].filter((each) => each.number)
}

// Brings the place that the page was opened for into the middle, once.
function settle(parts) {
  const { text } = parts
  if (!text.clientHeight) return
  if (parts.moved) {
    const current = text.querySelector(".current")
    const target = text.querySelector("mark.hit") ?? current?.querySelector("mark") ?? current
    if (target) {
      const into = target.getBoundingClientRect().top - text.getBoundingClientRect().top + text.scrollTop
      text.scrollTop = into - (text.clientHeight - Math.min(target.offsetHeight, text.clientHeight)) / 2
    }
    parts.moved = false
  }
  place(parts)
}

// Says which lines are in sight, in words and on the strip.
function place(parts) {
  const { text, data } = parts
  const top = text.scrollTop
  const seen = rows(parts).filter(
    (each) => each.offsetTop + each.offsetHeight > top + 1 && each.offsetTop < top + text.clientHeight - 1,
  )
  parts.slider.parentElement.hidden = !data.total
  if (!seen.length) {
    parts.range.textContent = ""
    return
  }
  const [first, last] = [seen[0].number, seen.at(-1).number]
  const unit = unitAt(data, first)
  parts.range.textContent =
    (unit ? `${unit}, ` : "") +
    (first === last ? `line ${first.toLocaleString("en")}` : `lines ${first.toLocaleString("en")}–${last.toLocaleString("en")}`)
  parts.shown.style.top = `min(${(100 * (first - 1)) / data.total}%, 100% - 8px)`
  parts.shown.style.height = `${(100 * (last - first + 1)) / data.total}%`
  parts.slider.value = first
  parts.slider.setAttribute("aria-valuetext", `line ${first} of ${data.total}`)
}

// The unit that a line is in: the last one that began at it or before.
function unitAt(data, number) {
  return data.lines.findLast((each) => each.number <= number && each.unit)?.unit || data.unit
}

function tick(element, share) {
  element.hidden = share === null
  if (share !== null) element.style.top = `${100 * share}%`
}

function cite(at) {
  const mark = make("span", "tick cited")
  mark.style.top = `${at / 100}%`
  return mark
}

// A mark of the text, and what it says.
function key(name, says) {
  const mark = name === "quote" ? make("mark", name, name) : make("i", `key ${name}`)
  const said = make("span", "keyed")
  said.append(mark, says)
  return [said]
}

// Draws a part only where its content has changed.
function put(slot, content, draw) {
  const written = JSON.stringify(content)
  if (slot.written === written) return false
  slot.written = written
  slot.replaceChildren(...draw())
  return true
}

export default function (component) {
  const root = component.parentElement.querySelector(".reader")
  const parts = (root.parts ??= build(root))
  const data = component.data
  const moved = parts.data.at !== data.at
  parts.data = data
  parts.send = component.setTriggerValue
  parts.path.textContent = data.path
  parts.path.title = data.path
  parts.facts.textContent = data.facts
  parts.notice.textContent = data.notice
  parts.text.setAttribute("aria-label", data.path)
  parts.found.textContent = data.found
  parts.steps.hidden = !data.hits
  if (parts.words.getRootNode().activeElement !== parts.words) parts.words.value = data.find
  put(parts.legend, data.legend, () => data.legend.flatMap(([name, says]) => key(name, says)))
  put(parts.track, data.strip, () => [layers(data.strip)])
  put(parts.cited, data.cited, () => data.cited.map(cite))
  parts.track.classList.toggle("known", Object.keys(data.strip).length > 0)
  offer(parts.jump, data.units)
  parts.slider.max = Math.max(1, data.total)
  tick(parts.quoteTick, data.quote_at)
  tick(parts.hitTick, data.hit_at)
  put(parts.text, [data.lines, data.line], () => lines(parts, data))
  parts.moved ||= moved
  settle(parts)
  return () => {
    parts.watching.disconnect()
    delete root.parts
  }
}
