// One step of a story, drawn into `root`. Every text is put in as text. `go` is called with the number of the step that is wanted,
// `open` with a link; without `open` links are followed. `more` are further buttons for the foot: words and what they do.
function drawStory(root, { steps, at, question, go, open, more = [] }) {
  const step = steps[at]
  if (!step) {
    root.replaceChildren(make("p", "body", "Every step of this story is left out."))
    return
  }
  root.replaceChildren(track(steps, at, go), body(step, question), foot(steps, at, { go, open, more }))
}

// The keys that lead through it; whether one of them was pressed.
function storyKey(event, { steps, at, go }) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
  const last = steps.length - 1
  const wanted = { ArrowRight: at + 1, PageDown: at + 1, ArrowLeft: at - 1, PageUp: at - 1, Home: 0, End: last }[event.key]
  if (wanted === undefined) return false
  event.preventDefault()
  if (wanted >= 0 && wanted <= last && wanted !== at) go(wanted)
  return true
}

function make(tag, name, text) {
  const element = document.createElement(tag)
  if (name) element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

function filled(element, ...children) {
  element.append(...children.filter(Boolean))
  return element
}

function button(name, words, act) {
  const element = make("button", name, words)
  element.type = "button"
  element.onclick = act
  return element
}

function track(steps, at, go) {
  const bars = steps.map((step, number) => {
    const bar = button(number === at ? "now" : number > at ? "later" : "", "", () => go(number))
    bar.title = step.name
    bar.setAttribute("aria-label", `${number + 1}: ${step.name}`)
    if (number === at) bar.setAttribute("aria-current", "step")
    return bar
  })
  return filled(make("div", "track"), ...bars, make("span", "", `${at + 1} of ${steps.length}`))
}

function body(step, question) {
  const size = [40, 85, 170].findIndex(most => step.title.length <= most)
  const long = step.body.length > 240 || step.quotes.length > 0
  return filled(
    make("div", "step"),
    step.id === "question" ? make("p", "eyebrow", step.name) : make("p", "eyebrow", question),
    make("h1", `sentence size-${size < 0 ? 4 : size + 1}`, step.title),
    step.quotes.length ? filled(make("div", "quotes"), ...step.quotes.map(quote)) : null,
    step.figures.length ? filled(make("dl", "numbers"), ...step.figures.map(figure)) : null,
    ...sides(step),
    step.body ? make("p", `body${long ? " long" : ""}`, step.body) : null,
  )
}

function quote({ item, label, words, place, verdict }) {
  const of = filled(make("div", "of"), make("b", "", item), ` ${label} · ${verdict}${place ? ` · ${place}` : ""}`)
  return filled(make("blockquote"), make("div", "", `“${words}”`), of)
}

function figure({ label, value, note }) {
  const known = make("dd", value === "unknown" ? "value unknown" : "value", value)
  return filled(make("div"), make("dt", "", label), known, note ? make("dd", "note", note) : null)
}

function sides({ sides, chips, letters }) {
  if (!sides.length) return []
  const names = sides.map((words, number) => filled(make("div", number ? "side-b" : "side-a"), make("b", "", letters[number]), words))
  if (!chips.length) return [filled(make("div", "sides"), ...names)]
  const pairs = chips.map(({ name, in_a, in_b, unseen }) =>
    filled(
      make("div", "pair"),
      in_a ? make("div", `chip${in_b ? "" : " only-a"}`, name) : make("div", `chip ${unseen ? "unseen" : "none"}`),
      in_b ? make("div", `chip${in_a ? "" : " only-b"}`, name) : make("div", "chip none"),
    ),
  )
  const unseen = chips.some(chip => chip.unseen) ? ` Hatched: ${letters[0]} was not shown the passage that decides it.` : ""
  const key = make("p", "key", `Above what ${letters[0]} counts, below what ${letters[1]} counts.${unseen}`)
  return [filled(make("div", "sides"), ...names), filled(make("div", "chips"), ...pairs), key]
}

function foot(steps, at, { go, open, more }) {
  const way = (name, to, sign) => {
    const there = steps[to]
    const element = button(`way ${name}`, there ? sign(there.name) : "", () => go(to))
    element.disabled = !there
    return element
  }
  const links = steps[at].links.map(link => {
    const element = make("a", "", `↗ ${link.words}`)
    element.href = link.href
    if (open) {
      element.onclick = event => {
        event.preventDefault()
        open(link)
      }
    }
    return element
  })
  const acts = more.map(([words, act]) => button("", words, act))
  return filled(
    make("div", "foot"),
    way("back", at - 1, name => `‹ ${name}`),
    filled(make("div", "links"), ...links, ...acts),
    way("next", at + 1, name => `${name} ›`),
  )
}
