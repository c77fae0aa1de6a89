// Steps of two runs side by side. All text comes from models and documents: it goes in by textContent only.
function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

// A click stays in the app; with a modifier the browser opens the address as ever.
function title(side, inst) {
  if (!side.href) return make("span", "title", side.title)
  const anchor = make("a", "title", side.title)
  anchor.href = side.href
  anchor.onclick = (event) => {
    event.stopPropagation()
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    inst.component.setTriggerValue("opened", side.go)
  }
  return anchor
}

function step(side, depth, inst) {
  const cell = make("td", "side")
  if (!side) return cell
  const box = make("div", "step")
  box.style.setProperty("--depth", depth)
  const did = make("div", "did")
  did.append(title(side, inst), make("span", "words", side.says))
  box.append(did)
  if (side.came) box.append(make("div", "came", side.came))
  cell.append(box)
  return cell
}

function state(row, inst) {
  const cell = make("th", "state")
  cell.scope = "row"
  const button = make("button", "pick")
  if (row.group) {
    button.append(make("span", "chevron", row.open ? "▾" : "▸"))
    button.setAttribute("aria-expanded", row.open)
  }
  button.append(make("span", "says", row.says))
  cell.append(button)
  if (row.more) cell.append(make("span", "more", row.more))
  if (row.first) cell.append(make("span", "first", "first difference"))
  return cell
}

function draw(row, inst) {
  const line = make("tr", row.state)
  line.append(state(row, inst), ...row.sides.map((side) => step(side, row.depth, inst)))
  line.onclick = () => inst.component.setTriggerValue("picked", { id: row.id, group: row.group, open: row.open })
  return line
}

// Replaces only the rows that have changed: a live run must not disturb what somebody selects.
function fill(inst, rows) {
  rows.forEach((row, number) => {
    const written = JSON.stringify(row)
    const old = inst.body.rows[number]
    if (old?.written === written) return
    const drawn = draw(row, inst)
    drawn.written = written
    if (old) old.replaceWith(drawn)
    else inst.body.append(drawn)
  })
  while (inst.body.rows.length > rows.length) inst.body.rows[rows.length].remove()
}

function select(inst, rows, selected) {
  rows.forEach((row, number) => inst.body.rows[number].classList.toggle("selected", row.id === selected))
  if (!selected || inst.selected === selected) return
  inst.selected = selected
  const chosen = [...inst.body.rows][rows.findIndex((row) => row.id === selected)]
  chosen?.scrollIntoView({ block: "nearest" })
}

function head(sides) {
  const line = make("tr", "")
  line.append(make("th", "state", "step"))
  for (const side of sides) {
    const cell = make("th", "")
    cell.append(make("span", `letter ${side.shade}`, side.letter), ` ${side.name}`)
    line.append(cell)
  }
  return line
}

function begin(root) {
  const table = make("table", "")
  const inst = { head: make("thead", ""), body: make("tbody", "") }
  inst.nothing = make("p", "words", "Nothing differs.")
  table.append(inst.head, inst.body)
  root.append(table, inst.nothing)
  return inst
}

export default function (component) {
  const root = component.parentElement.querySelector(".steps")
  const inst = (root.inst ??= begin(root))
  inst.component = component
  const { sides, rows, selected } = component.data
  inst.head.replaceChildren(head(sides))
  inst.nothing.hidden = rows.length > 0
  fill(inst, rows)
  select(inst, rows, selected)
}
