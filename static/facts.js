// Labels and values of the thing that is looked at, in a row or as a list. All of it is text: it goes in by textContent only.
const NO_VALUES = ["unknown", "none yet"]

function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

export default function (component) {
  const root = component.parentElement.querySelector(".facts")
  const written = JSON.stringify(component.data)
  if (root.written === written) return
  root.written = written
  const list = make("dl", component.data.form)
  for (const each of component.data.facts) {
    const fact = make("div", "")
    fact.append(make("dt", "", each.label), make("dd", NO_VALUES.includes(each.value) ? "unknown" : "", each.value))
    if (each.note) fact.append(make("dd", "note", each.note))
    list.append(fact)
  }
  root.replaceChildren(list)
}
