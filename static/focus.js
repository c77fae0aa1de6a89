// Gives the focus to a field, once. The field may come a moment later: Streamlit loads the code of each kind when it is needed.
const PATIENCE_MS = 3000

export default function ({ parentElement, data }) {
  const mark = parentElement.querySelector(".focus")
  if (mark.done) return
  mark.done = true
  const before = document.activeElement
  const until = performance.now() + PATIENCE_MS
  const seek = () => {
    if (![before, document.body].includes(document.activeElement)) return // somebody has gone elsewhere
    const field = document.querySelector(`[class*="st-key-${data.field}"] input`)
    if (field) field.focus()
    else if (mark.isConnected && performance.now() < until) requestAnimationFrame(seek)
  }
  seek()
}
