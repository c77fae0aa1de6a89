
// Present in the app: a step is drawn at once, and the page is told, which writes it into the address. What it says of steps that were
// left since is not drawn again.
export default function (component) {
  const { data, parentElement } = component
  const root = parentElement.querySelector(".story")
  const kept = (root.kept ??= { at: data.at, told: [] })
  kept.component = component
  const told = kept.told.indexOf(data.at)
  if (told >= 0) kept.told.splice(0, told + 1)
  else kept.at = data.at
  if (!kept.keys) {
    kept.keys = event => pressed(event, kept, root)
    document.addEventListener("keydown", kept.keys)
    root.focus({ preventScroll: true })
  }
  draw(kept, root)
  return () => {
    document.removeEventListener("keydown", kept.keys)
    delete root.kept
  }
}

function draw(kept, root) {
  const { data, setTriggerValue } = kept.component
  const more = [
    ["Edit", () => setTriggerValue("edit", true)],
    ["Leave (Esc)", () => setTriggerValue("leave", true)],
  ]
  const open = link => setTriggerValue("opened", link.id)
  drawStory(root, { steps: data.steps, at: kept.at, question: data.question, go: wanted => go(wanted, kept, root), open, more })
}

function go(wanted, kept, root) {
  kept.at = wanted
  kept.told.push(wanted)
  draw(kept, root)
  root.focus({ preventScroll: true })
  kept.component.setTriggerValue("step", kept.component.data.steps[wanted].id)
}

function pressed(event, kept, root) {
  if (event.composedPath()[0].closest?.("input, textarea, select")) return
  if (event.key === "Escape") kept.component.setTriggerValue("leave", true)
  else storyKey(event, { steps: kept.component.data.steps, at: kept.at, go: wanted => go(wanted, kept, root) })
}
