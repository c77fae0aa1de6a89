// The words that a run is searched for, marked in the texts of its inspector.
export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".found-marks")
  const pane = root.getRootNode().host?.closest(".st-key-pane-inspector")
  if (!pane) return
  const texts = '[data-testid="stText"], [data-testid="stCode"] code'
  root.found ??= new Found("found-inspector", pane, texts, ".react-syntax-highlighter-line-number")
  root.found.look(data.find)
  return () => {
    root.found.close()
    root.found = undefined
  }
}
