// The page's own script: the story, and the calls of a group, drawn when they are asked for. Everything is put in as text.
(() => {
  const { story, members } = JSON.parse(document.getElementById("data").textContent)
  const stage = document.getElementById("stage")
  const question = story.find(step => step.id === "question")?.title ?? ""
  let at = 0

  const state = () => ({ steps: story, at, question, go })

  function go(wanted) {
    at = wanted
    draw()
    stage.focus({ preventScroll: true })
  }

  function draw() {
    const isFull = stage.classList.contains("full")
    drawStory(stage, { ...state(), open: follow, more: [[isFull ? "Leave (Esc)" : "Full window", () => full(!isFull)]] })
  }

  function full(wanted) {
    stage.classList.toggle("full", wanted)
    draw()
    stage.focus({ preventScroll: true })
  }

  function follow(link) {
    full(false)
    location.hash = link.href
    reveal()
  }

  document.addEventListener("keydown", event => {
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return
    if (event.key === "Escape" && stage.classList.contains("full")) full(false)
    else storyKey(event, state())
  })

  // ---- calls of a group

  const MOST_AT_ONCE = 100

  function call([span, name, status, facts, asked, askedNote, said, saidNote], letter) {
    const element = make("div", "call")
    element.id = `${letter}-${span}`
    const line = filled(make("div", "line"), make("b", "", name), status === "ok" ? null : make("span", "state-word", status), make("span", "facts", facts))
    const text = (words, note, kind) => words && filled(make("div", `text ${kind}`, words), note ? make("div", "cut", note) : null)
    return filled(element, line, text(asked, askedNote, ""), text(said, saidNote, "said"))
  }

  function list(block, letter, upTo = 0) {
    const rows = members[letter][block.dataset.block]
    const box = block.querySelector(".calls") ?? block.appendChild(make("div", "calls"))
    box.querySelector(":scope > .link")?.remove()
    const from = box.children.length
    const until = Math.min(rows.length, Math.max(from + MOST_AT_ONCE, upTo))
    box.append(...rows.slice(from, until).map(row => call(row, letter)))
    if (until < rows.length) box.append(button("link", `${until.toLocaleString("en")} of ${rows.length.toLocaleString("en")}: show more`, () => list(block, letter)))
  }

  function toggle(block, letter, opener) {
    const open = block.querySelector(".calls")
    if (open) open.remove()
    else list(block, letter)
    opener.setAttribute("aria-expanded", String(!open))
  }

  for (const run of document.querySelectorAll("article.run")) {
    const letter = run.dataset.run
    for (const block of run.querySelectorAll(".block")) {
      const rows = members[letter][block.dataset.block]
      if (!rows?.length) continue
      const opener = button("link", rows.length > 1 ? `${rows.length.toLocaleString("en")} calls` : "open", () => toggle(block, letter, opener))
      opener.setAttribute("aria-expanded", "false")
      block.querySelector(".line").append(opener)
    }
  }

  // ---- a link to a single call opens the group that it is in

  function reveal() {
    const id = decodeURIComponent(location.hash.slice(1))
    const [letter, span] = [id.slice(0, 1), id.slice(2)]
    if (!document.getElementById(id) && members[letter]) {
      for (const [name, rows] of Object.entries(members[letter])) {
        const place = rows.findIndex(row => row[0] === span)
        const block = place >= 0 && document.getElementById(`${letter}-${name}`)
        if (!block) continue
        list(block, letter, place + 1)
        break
      }
    }
    const element = document.getElementById(id)
    if (!element) return
    bring(element)
    // What is not in sight has only a guessed height until it is drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => bring(element)))
  }

  // A part of the page from its heading on; what is low into the middle.
  function bring(element) {
    element.scrollIntoView({ block: element.offsetHeight > innerHeight / 2 ? "start" : "center" })
  }

  window.addEventListener("hashchange", reveal)
  draw()
  if (location.hash.length > 1) reveal()
})()
