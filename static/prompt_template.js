// A prompt of a group: what all share as plain text, what varies as a mark. All of it goes in by textContent only.
function make([kind, text]) {
  const element = document.createElement(kind === "varies" ? "mark" : "span")
  element.className = kind
  element.textContent = text
  return element
}

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".template")
  const written = JSON.stringify(data)
  if (root.written === written) return
  root.written = written
  root.tabIndex = 0
  root.setAttribute("aria-label", "The prompt that the members share")
  root.replaceChildren(...data.pieces.map(make))
  const varies = root.querySelector("mark")
  if (varies) root.scrollTop = varies.offsetTop - root.offsetTop - root.clientHeight / 2
}
