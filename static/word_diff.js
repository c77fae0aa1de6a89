// A quote and the place that is like it. Everything from the run and the document goes in by textContent only.
function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

function side({ side, head, parts }) {
  const block = make("div", "side")
  const words = make("p", side)
  const tag = side === "quote" ? "del" : "ins"
  for (const [text, same] of parts) words.append(same ? document.createTextNode(text) : make(tag, "", text.trimEnd()), same ? "" : " ")
  block.append(make("span", "head", head), words)
  return block
}

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".diff")
  const written = JSON.stringify(data)
  if (root.written === written) return
  root.written = written
  root.replaceChildren(...data.sides.map(side), make("div", "agree", data.agree))
}
