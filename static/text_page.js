// A page of a long text, as text and nothing else. Its beginning, or what is looked at among what was found, is brought into
// sight once.
function paneOf(element) {
  for (let each = element; each; each = each.parentNode ?? each.host) {
    if (each instanceof Element && /auto|scroll/.test(getComputedStyle(each).overflowY)) return each
  }
  return document.scrollingElement
}

function draw(root, pieces) {
  root.replaceChildren(
    ...pieces.map(([kind, text]) => {
      const piece = document.createElement(kind ? "mark" : "span")
      if (kind) piece.className = kind
      piece.textContent = text
      return piece
    }),
  )
}

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".text-page")
  const written = JSON.stringify(data.pieces)
  if (root.written !== written) draw(root, data.pieces)
  root.written = written
  if (root.place === data.place) return
  root.place = data.place
  const chosen = root.querySelector(".chosen")
  if (chosen) chosen.scrollIntoView({ block: "center" })
  else paneOf(root).scrollTop = 0
}
