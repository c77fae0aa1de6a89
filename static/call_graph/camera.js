// What part of the graph is seen, how large, and who decided that: until somebody moves it, the graph may show what is new.
const LARGEST = 3
const SMALLEST = 0.08
const READABLE = 11.5 / 12 // of a scale: the smallest text is 12 px at 100 %
const MARGIN = 8
const STACK = 12 // what a group's stack and a ring need at the right

export class Camera {
  constructor(net, stage, run) {
    Object.assign(this, { net, stage, key: `rlm-graph:${run}`, touched: false })
  }

  get scale() {
    return this.net.getScale()
  }

  get size() {
    return { width: this.stage.clientWidth, height: this.stage.clientHeight }
  }

  // What is seen, in the graph's own pixels.
  get view() {
    const { width, height } = this.size
    const { x, y } = this.net.getViewPosition()
    const [w, h] = [width / this.scale, height / this.scale]
    return { left: x - w / 2, top: y - h / 2, width: w, height: h }
  }

  look(scale, left, top) {
    const { width, height } = this.size
    const position = { x: left + width / scale / 2, y: top + height / scale / 2 }
    this.kept = { scale, left, top }
    this.net.moveTo({ scale, position, animation: false })
  }

  // Somebody has dragged it.
  moved() {
    this.kept = { scale: this.scale, left: this.view.left, top: this.view.top }
    this.touch()
  }

  // vis-network zooms when its canvas gets another size; the left upper corner stays instead.
  hold() {
    const { scale, left, top } = this.kept
    this.look(scale, left, top)
  }

  // How much wider than drawn the columns may be, so that they fill the pane at 100 %.
  room() {
    return this.size.width - MARGIN - STACK
  }

  // 100 %, or as little less as makes it fit while all text can be read; cut off at the right and below.
  first(bounds) {
    const fitting = this.room() / bounds.width
    const scale = fitting > 0.99 ? 1 : Math.max(READABLE, fitting)
    this.look(scale, bounds.left - MARGIN / scale, bounds.top - MARGIN / scale)
  }

  fit(bounds) {
    const { width, height } = this.size
    const needed = [bounds.width + MARGIN + STACK, bounds.height + MARGIN + STACK]
    const scale = Math.max(SMALLEST, Math.min(1, width / needed[0], height / needed[1]))
    this.look(scale, bounds.left - MARGIN / scale, bounds.top - MARGIN / scale)
  }

  // Larger or smaller around one point of the stage.
  zoom(factor, x = this.size.width / 2, y = this.size.height / 2) {
    const { left, top } = this.view
    const before = this.scale
    const scale = Math.min(LARGEST, Math.max(SMALLEST, before * factor))
    this.look(scale, left + x / before - x / scale, top + y / before - y / scale)
  }

  // Goes on by so many pixels of the screen, no further than there is something to see. Says whether it moved.
  scroll(across, down, bounds) {
    const { left, top, width, height } = this.view
    const within = (at, by, seen, from, length) => {
      const first = Math.min(at, from - MARGIN / this.scale)
      const last = Math.max(at, from + length + STACK - seen)
      return Math.min(last, Math.max(first, at + by / this.scale))
    }
    const next = [within(left, across, width, bounds.left, bounds.width), within(top, down, height, bounds.top, bounds.height)]
    const moves = Math.max(Math.abs(next[0] - left), Math.abs(next[1] - top)) * this.scale >= 1
    if (moves) this.look(this.scale, ...next)
    return moves
  }

  // The least motion that brings a box into view; none if its middle is seen already.
  reveal(box, always = false) {
    const view = this.view
    const edge = MARGIN / this.scale
    const seen = this.sees(box)
    if (seen && !always) return
    const along = (at, length, from, seenLength) => {
      if (at - edge < from || length + 2 * edge > seenLength) return at - edge
      if (at + length + STACK > from + seenLength) return at + length + STACK - seenLength
      return from
    }
    this.look(this.scale, along(box.left, box.width, view.left, view.width), along(box.top, box.height, view.top, view.height))
  }

  sees(box) {
    return this.side(box) === ""
  }

  // On which side of the view the middle of a box lies; nothing if it is seen.
  side(box) {
    const view = this.view
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    if (y > view.top + view.height) return "below"
    if (y < view.top) return "above"
    if (x > view.left + view.width) return "to the right"
    return x < view.left ? "to the left" : ""
  }

  touch() {
    this.touched = true
    this.remember()
  }

  remember() {
    const { left, top } = this.view
    sessionStorage.setItem(this.key, JSON.stringify({ scale: this.scale, left, top, touched: this.touched }))
  }

  // The view that was left behind on this page, if there is one.
  recall() {
    const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "null")
    if (!kept) return false
    this.touched = kept.touched
    this.look(kept.scale, kept.left, kept.top)
    return true
  }
}
