// What each run says of each item. All text comes from models and documents: it goes in by textContent only.
const MANY = 3

function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

// A click stays in the app; with a modifier the browser opens the address as ever.
function opening(cell, name, words, inst) {
  if (!cell.href) return make("span", name, words)
  const anchor = make("a", name, words)
  anchor.href = cell.href
  anchor.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    inst.component.setTriggerValue("opened", cell.query)
  }
  return anchor
}

function evidence(cell, inst) {
  const box = make("div", "evidence")
  if (cell.words !== undefined) {
    const why = make("span", "why", cell.words)
    if (cell.behind) why.append(opening(cell, "passage", cell.place, inst), cell.behind)
    box.append(why)
    return box
  }
  if (cell.quote) box.append(opening(cell, "quote", `“${cell.quote}”`, inst), " ")
  const place = make("span", "place")
  place.title = cell.title
  if (cell.mark) place.append(make("span", `mark ${cell.tone}`, cell.mark), " ")
  place.append(cell.place)
  box.append(place)
  if (cell.more) box.append(" ", make("span", "why", cell.more))
  return box
}

function said(cell, inst) {
  const column = make("td", "said")
  const box = make("div", "pair")
  const badge = make("span", `badge ${cell.how}${cell.told ? " told" : ""}`, cell.label)
  const holder = make("div", "label")
  holder.append(badge)
  box.append(holder, evidence(cell, inst))
  column.append(box)
  return column
}

// Who is right, as a person says, and with what label. To press again takes it back. A label that is being typed goes along.
function choice(each, inst) {
  const cell = make("td", "choice")
  const { right, label, offered } = each.choice
  const field = make("input", "given")
  field.value = label
  const send = (changed) =>
    inst.component.setTriggerValue("chosen", { item: each.choice.item, right, label: field.value, ...changed })
  for (const one of offered) {
    const button = make("button", `right${one.run === right ? " chosen" : ""}`, one.says)
    button.title = one.title
    button.setAttribute("aria-label", `${each.item}: ${one.title}`)
    button.setAttribute("aria-pressed", one.run === right)
    button.onclick = () => send({ right: one.run === right ? null : one.run })
    cell.append(button)
  }
  if (right !== null) {
    field.maxLength = 60
    field.placeholder = "label"
    field.setAttribute("aria-label", `Label of ${each.item}`)
    field.onchange = () => send({})
    cell.append(field)
  }
  return cell
}

function row(each, inst) {
  const line = make("tr", "")
  const status = make("td", `status ${each.shade}`)
  status.append(make("span", "sign", each.mark), ` ${each.status}`)
  const item = make("th", "item", each.item)
  item.scope = "row"
  line.append(item, status, ...each.said.map((cell) => said(cell, inst)), choice(each, inst))
  return line
}

function head(runs) {
  const line = make("tr", "")
  line.append(make("th", "item", "item"), make("th", "status", ""))
  for (const run of runs) {
    const cell = make("th", "")
    cell.append(make("span", `letter ${run.shade}`, run.letter), ` ${run.name}`)
    line.append(cell)
  }
  line.append(make("th", "choice", "right is"))
  return line
}

// Replaces only the rows that have changed: a live run must not disturb what somebody selects.
function fill(body, rows, inst) {
  rows.forEach((each, number) => {
    const written = JSON.stringify(each)
    const old = body.rows[number]
    if (old?.written === written) return
    const drawn = row(each, inst)
    drawn.written = written
    if (old) old.replaceWith(drawn)
    else body.append(drawn)
  })
  while (body.rows.length > rows.length) body.rows[rows.length].remove()
}

function draw(root, inst) {
  const { runs, rows, shown } = inst.component.data
  const open = Math.min(rows.length, inst.open)
  const written = JSON.stringify(runs)
  if (inst.written !== written) {
    inst.written = written
    inst.head.replaceChildren(head(runs))
    root.style.setProperty("--runs", runs.length)
    root.classList.toggle("many", runs.length > MANY)
  }
  root.style.setProperty("--name", `${Math.min(12, 2 + 0.5 * Math.max(4, ...rows.map((each) => each.item.length)))}rem`)
  fill(inst.body, rows.slice(0, open), inst)
  const left = rows.length - open
  inst.more.hidden = !left
  inst.more.textContent = `${open} of ${rows.length} shown, show ${Math.min(shown, left)} more`
  inst.nothing.hidden = rows.length > 0
}

function begin(root, shown) {
  const table = make("table", "")
  const inst = { open: shown, head: make("thead", ""), body: make("tbody", ""), more: make("button", "more") }
  inst.nothing = make("p", "why", "No item is like that.")
  inst.more.onclick = () => {
    inst.open += inst.component.data.shown
    draw(root, inst)
  }
  table.append(inst.head, inst.body)
  root.append(table, inst.nothing, inst.more)
  return inst
}

export default function (component) {
  const root = component.parentElement.querySelector(".pairs")
  const inst = (root.inst ??= begin(root, component.data.shown))
  inst.component = component
  draw(root, inst)
}
