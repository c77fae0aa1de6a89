// A few lines of a document. Everything from the document goes in by textContent only.
function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

function line(each) {
  const row = make("div", "line")
  const words = make("span", "said")
  for (const [text, marks] of each.pieces) words.append(marks ? make("mark", marks, text) : document.createTextNode(text))
  row.append(make("i", "", each.number), words)
  return row
}

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".excerpt")
  const written = JSON.stringify(data)
  if (root.written === written) return
  root.written = written
  const head = make("div", "head")
  head.append(make("span", "path", data.path), make("span", "where", data.where))
  root.replaceChildren(head, ...data.lines.map(line))
  if (data.more) root.append(make("div", "more", data.more))
}
