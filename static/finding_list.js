// The findings of a run, to choose from. Items and labels come from models and documents: they go in by textContent only.
const WAIT_MS = 300

function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

function build(root) {
  const head = make("div", "head")
  const count = make("span", "count")
  head.append(make("span", "title", "Findings"), count)
  const search = make("input", "search")
  search.type = "search"
  search.placeholder = "Search by item"
  search.setAttribute("aria-label", "Search findings by item")
  const filters = make("div", "filters")
  filters.setAttribute("role", "group")
  filters.setAttribute("aria-label", "Show findings with")
  const list = make("div", "list")
  list.setAttribute("role", "group")
  list.setAttribute("aria-label", "Findings")
  const cut = make("div", "cut")
  root.replaceChildren(head, search, filters, list, cut)
  const parts = { count, search, filters, list, cut, send: () => {} }

  let waiting
  const searched = () => parts.send("narrow", { item: search.value })
  search.oninput = () => {
    clearTimeout(waiting)
    waiting = setTimeout(searched, WAIT_MS)
  }
  // What is typed here must not work as a shortcut of the page.
  search.onkeydown = (event) => event.stopPropagation()
  list.onkeydown = (event) => {
    const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key]
    const row = step && event.target.closest(".row")?.[step]
    if (!row) return
    event.preventDefault()
    row.focus()
    row.click()
  }
  return parts
}

function filter(parts, each) {
  const button = make("button", each.on ? "filter on" : "filter", each.words)
  if (each.count) button.append(make("span", "many", each.count))
  button.setAttribute("aria-pressed", each.on)
  button.onclick = () => parts.send("narrow", { label: each.label, verdict: each.verdict })
  return button
}

function row(parts, each) {
  const button = make("button", "row")
  button.span = each.span
  button.title = each.item
  button.append(
    make("b", "item", each.item),
    make("span", each.telling ? "label" : "label quiet", each.label),
    make("span", `verdict ${each.tone}`, each.verdict),
  )
  button.onclick = () => {
    choose(parts, each.span)
    parts.send("pick", each.span)
  }
  return button
}

// Marks the chosen row, and brings it into sight without moving the page.
function choose(parts, span) {
  for (const button of parts.list.children) {
    const chosen = button.span === span
    button.classList.toggle("chosen", chosen)
    if (chosen) button.setAttribute("aria-current", "true")
    else button.removeAttribute("aria-current")
    if (!chosen) continue
    const list = parts.list
    const top = button.offsetTop - list.offsetTop
    if (top < list.scrollTop) list.scrollTop = top
    if (top + button.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + button.offsetHeight - list.clientHeight
    }
  }
}

// Draws a part only where its content has changed.
function put(slot, content, draw) {
  const written = JSON.stringify(content)
  if (slot.written === written) return
  slot.written = written
  slot.replaceChildren(...draw())
}

export default function (component) {
  const root = component.parentElement.querySelector(".findings")
  const parts = (root.parts ??= build(root))
  const data = component.data
  parts.send = component.setTriggerValue
  parts.count.textContent = data.count
  parts.cut.textContent = data.cut
  if (parts.search.getRootNode().activeElement !== parts.search) parts.search.value = data.item
  put(parts.filters, data.filters, () => data.filters.map((each) => filter(parts, each)))
  put(parts.list, data.rows, () =>
    data.rows.length ? data.rows.map((each) => row(parts, each)) : [make("p", "none", "No finding is like this.")],
  )
  if (parts.chosen !== data.chosen || parts.rows !== parts.list.written) {
    parts.chosen = data.chosen
    parts.rows = parts.list.written
    choose(parts, data.chosen)
  }
}
