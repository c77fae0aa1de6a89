// Marks words where they stand in texts on the page: ranges that the browser paints, and nothing is added to the page. In any
// case and with any white space between them, as the search of a run finds them.
const MOST_FOUND = 400

function patternOf(words) {
  const parts = words.trim().split(/\s+/).filter(Boolean)
  return parts.length ? new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|\/-]/g, "\\$&")).join("\\s+"), "gi") : null
}

// Where the pattern matches in the text of an element, however many elements of its own share that text.
function* rangesIn(element, pattern, without) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    without && node.parentElement.closest(without) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  const nodes = []
  let whole = ""
  while (walker.nextNode()) {
    nodes.push([whole.length, walker.currentNode])
    whole += walker.currentNode.data
  }
  let at = 0
  for (const match of whole.matchAll(pattern)) {
    const range = new Range()
    const end = match.index + match[0].length
    while (nodes[at + 1]?.[0] <= match.index) at++
    range.setStart(nodes[at][1], match.index - nodes[at][0])
    let last = at
    while (nodes[last + 1]?.[0] < end) last++
    range.setEnd(nodes[last][1], end - nodes[last][0])
    yield range
  }
}

class Found {
  words = ""

  // `name` is that of the highlight in the style sheets; `texts` and `without` select what is looked through below `root`.
  constructor(name, root, texts, without = "") {
    Object.assign(this, { name, root, texts, without })
    this.watching = new MutationObserver(() => this.soon())
  }

  look(words) {
    if (words === this.words) return
    this.words = words
    this.watching.disconnect()
    if (words) this.watching.observe(this.root, { childList: true, subtree: true, characterData: true })
    this.soon()
  }

  soon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined
      this.mark()
    })
  }

  mark() {
    const pattern = patternOf(this.words)
    const found = []
    if (pattern) {
      for (const element of this.root.querySelectorAll(this.texts)) {
        for (const range of rangesIn(element, pattern, this.without)) {
          if (found.push(range) >= MOST_FOUND) break
        }
        if (found.length >= MOST_FOUND) break
      }
    }
    if (found.length) CSS.highlights?.set(this.name, new Highlight(...found))
    else CSS.highlights?.delete(this.name)
  }

  close() {
    cancelAnimationFrame(this.frame)
    this.watching.disconnect()
    CSS.highlights?.delete(this.name)
  }
}
