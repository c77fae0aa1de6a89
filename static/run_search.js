// The search of a run. What is half typed is never touched by what comes from the server; it is asked for when the fingers rest.
const REST_MS = 100
const WAYS = { next: "the next that was found", before: "the previous that was found" }

function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

class RunSearch {
  constructor(root) {
    this.field = make("input", "words")
    this.field.type = "search"
    this.field.placeholder = "Search this run"
    this.field.setAttribute("aria-label", "Search code, prompts, replies, outputs and findings of this run")
    this.field.oninput = () => this.rest()
    this.field.onkeydown = (event) => this.typed(event)
    this.count = make("span", "count")
    this.count.setAttribute("role", "status")
    this.buttons = Object.entries(WAYS).map(([way, says]) => {
      const button = make("button", "way", way === "next" ? "▾" : "▴")
      button.type = "button"
      button.title = says
      button.setAttribute("aria-label", says)
      button.onclick = () => this.ask(way)
      return button
    })
    this.line = make("div", "line")
    this.line.append(this.count, ...this.buttons.reverse())
    root.append(this.field, this.line)
    this.pressed = (event) => this.page(event)
    document.addEventListener("keydown", this.pressed)
  }

  show(component) {
    const { data } = component
    this.component = component
    if (data.run !== this.data?.run || data.words !== this.data.words) this.settled(data)
    this.data = data
    this.field.maxLength = data.max
    const says = [data.count, data.where].filter(Boolean).join(" · ")
    if (this.count.textContent !== says) this.count.textContent = says
    this.count.title = says
    this.line.hidden = !data.words
    for (const button of this.buttons) button.disabled = !data.hits
  }

  // Words that come from elsewhere than this field: the address, or the way back. While somebody writes here, they are those of
  // a moment ago: then what stands here is asked for once more.
  settled(data) {
    if (data.run === this.data?.run && data.words === this.sent) return
    clearTimeout(this.waiting)
    if (data.run === this.data?.run && this.field.getRootNode().activeElement === this.field) {
      this.sent = data.words
      this.rest()
      return
    }
    this.sent = this.field.value = data.words
  }

  rest() {
    clearTimeout(this.waiting)
    this.waiting = setTimeout(() => this.ask(), REST_MS)
  }

  ask(way = "") {
    clearTimeout(this.waiting)
    const words = this.field.value.trim()
    if (!way && words === this.sent) return
    this.sent = words
    this.component.setTriggerValue("asked", { words, way })
  }

  clear() {
    this.field.value = ""
    this.ask()
    this.field.blur()
  }

  typed(event) {
    const does = this.data.keys[event.key]
    if (event.key === "Enter") this.ask(event.shiftKey ? "before" : "next")
    else if (does === "clear") this.clear()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  page(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event)) return
    const does = event.key === "Enter" ? undefined : this.data.keys[event.key]
    if (does === "search") this.field.select()
    else if (does in WAYS && this.data.hits) this.ask(does)
    else return
    event.preventDefault()
  }

  close() {
    clearTimeout(this.waiting)
    document.removeEventListener("keydown", this.pressed)
  }
}

export default function (component) {
  const root = component.parentElement.querySelector(".run-search")
  root.search ??= new RunSearch(root)
  root.search.show(component)
  return () => {
    root.search.close()
    root.replaceChildren()
    delete root.search
  }
}
