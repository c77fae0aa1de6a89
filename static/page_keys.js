// Keys of the run's page that belong to no part of it, and the table of all keys. The page moves only when somebody presses one.
function make(tag, text) {
  const element = document.createElement(tag)
  if (text !== undefined) element.textContent = text
  return element
}

function row(keys, means) {
  const line = make("tr")
  const head = make("th")
  head.scope = "row"
  head.append(...keys.map(key => make("kbd", key)))
  line.append(head, make("td", means))
  return line
}

function dialog(groups) {
  const box = make("dialog")
  const top = make("div")
  const close = make("button", "Close")
  top.className = "top"
  close.type = "button"
  close.onclick = () => box.close()
  const title = make("h2", "Keys")
  title.id = "keys-title"
  box.setAttribute("aria-labelledby", title.id)
  top.append(title, close)
  box.append(top)
  for (const group of groups) {
    const table = make("table")
    table.append(...group.keys.map(each => row(each.keys, each.means)))
    box.append(make("h3", group.where), table)
  }
  return box
}

export default function (component) {
  const root = component.parentElement.querySelector(".keys")
  root.data = component.data
  root.send = component.setTriggerValue
  if (!root.firstChild) {
    const button = make("button", "? Keys")
    const box = dialog(component.data.table)
    button.type = "button"
    button.setAttribute("aria-haspopup", "dialog")
    button.onclick = () => box.showModal()
    root.append(button, box)
  }
  document.removeEventListener("keydown", root.pressed)
  root.pressed = event => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event)) return
    const box = root.querySelector("dialog")
    const does = root.data.keys[event.key]
    if (!does || event.repeat) return
    if (does !== "help") root.send("pressed", does)
    else if (!box.open) box.showModal()
    event.preventDefault()
  }
  document.addEventListener("keydown", root.pressed)
  return () => document.removeEventListener("keydown", root.pressed)
}
