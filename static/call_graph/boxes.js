// How one box of the graph is drawn: rule and shape of its kind, title, figure, lines, bar, ring. Texts are measured, cut, and drawn as text.
const RADIUS = 3
const BUTTON = 16
const PAD = 9
export const NAMES = [
  "page", "text", "quiet", "line", "primary",
  "root", "code", "call", "frame", "answer", "failed", "mended", "note", "search",
  "call-wash", "frame-wash", "answer-wash", "failed-wash", "answer-edge", "root-ink", "call-ink", "failed-ink",
]
const WITH_TEXT_FROM = 0.5 // of a scale: below, letters would be dust

// The six shapes, as in static/kinds/*.svg.
const shapes = {
  root: (ctx, c) => fill(ctx, c.root, "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z", "evenodd"),
  code: (ctx, c) => {
    ctx.beginPath()
    ctx.roundRect(1.8, 1.8, 12.4, 12.4, 2)
    ctx.fillStyle = c.code
    ctx.fill()
    stroke(ctx, "#1b2026", 1.4, "m5 5.6 2.6 2.4L5 10.4M8.6 11h2.8")
  },
  call: (ctx, c) => fill(ctx, c.call, "M2.2 2.2h6.6L14.4 8l-5.6 5.8H2.2z"),
  frame: (ctx, c) => {
    ctx.strokeStyle = c.frame
    ctx.lineWidth = 2
    ctx.strokeRect(1.8, 1.8, 12.4, 12.4)
    ctx.fillStyle = c.frame
    ctx.fillRect(5.6, 5.6, 4.8, 4.8)
  },
  answer: (ctx, c) => {
    fill(ctx, c.answer, "M8 1 15 8 8 15 1 8z")
    stroke(ctx, c["answer-edge"], 1.3, "M8 1 15 8 8 15 1 8z")
  },
  failed: (ctx, c) => {
    fill(ctx, c.failed, "M5.2 1.4h5.6l3.8 3.8v5.6l-3.8 3.8H5.2l-3.8-3.8V5.2z")
    stroke(ctx, "#fff", 1.7, "m5.4 5.4 5.2 5.2M10.6 5.4l-5.2 5.2")
  },
  mended: (ctx, c) => stroke(ctx, c.mended, 1.2, "M5.4 2h5.2L14 5.4v5.2L10.6 14H5.4L2 10.6V5.4zM5.2 8.2l2 2 3.6-4.2"),
  search: (ctx, c) => stroke(ctx, c.search, 1.5, "M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3.2 3.2"),
  note: (ctx, c) => stroke(ctx, c.note, 1.5, "M3 4.5h10M3 8h10M3 11.5h6"),
}

function fill(ctx, colour, path, rule = "nonzero") {
  ctx.fillStyle = colour
  ctx.fill(new Path2D(path), rule)
}

function stroke(ctx, colour, width, path) {
  ctx.strokeStyle = colour
  ctx.lineWidth = width
  ctx.stroke(new Path2D(path))
}

function shape(ctx, kind, colours, x, y, size) {
  ctx.save()
  ctx.translate(x, y)
  ctx.scale(size / 16, size / 16)
  shapes[kind](ctx, colours)
  ctx.restore()
}

// Text that fits into `room` pixels, ending in an ellipsis where it was cut; remembered, for a box is drawn at every frame.
const fitted = new Map()
function fit(ctx, text, room) {
  const key = `${ctx.font}|${Math.round(room)}|${text}`
  if (!fitted.has(key)) {
    if (fitted.size > 5000) fitted.clear()
    fitted.set(key, cut(ctx, text, room))
  }
  return fitted.get(key)
}

function cut(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text
  const letters = [...text]
  let [low, high] = [0, letters.length]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const tried = `${letters.slice(0, middle).join("").trimEnd()}…`
    if (ctx.measureText(tried).width <= room) low = middle
    else high = middle - 1
  }
  return low ? `${letters.slice(0, low).join("").trimEnd()}…` : ""
}

// As many whole words as fit into a line, and what is left for the next.
function wrap(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return [text, ""]
  const words = text.split(" ")
  let count = 1
  while (ctx.measureText(words.slice(0, count + 1).join(" ")).width <= room) count += 1
  return [words.slice(0, count).join(" "), words.slice(count).join(" ")]
}

export function forgetWidths() {
  fitted.clear()
}

// Where the small + and − of a box are, from its left upper corner.
export function buttons(box) {
  const { unfold, fold, form } = box.face
  if (form === "chip") return []
  const sent = [["−", fold], ["+", unfold]].filter(([, value]) => value).reverse()
  return sent.map(([sign, value], place) => ({
    sign,
    value,
    x: box.width - PAD - BUTTON - place * (BUTTON + 6),
    y: box.height - PAD - BUTTON,
    size: BUTTON,
  }))
}

class Pen {
  constructor(ctx, colours, font, box) {
    Object.assign(this, { ctx, colours, font, box, face: box.face })
    this.accent = colours[this.face.kind]
  }

  write(text, x, y, { size = 12, bold = false, italic = false, colour = "quiet", room, right = false }) {
    const { ctx } = this
    ctx.font = `${italic ? "italic " : ""}${bold ? 600 : 400} ${size}px ${this.font}`
    const said = fit(ctx, text, room)
    const width = ctx.measureText(said).width
    ctx.fillStyle = this.colours[colour]
    ctx.fillText(said, right ? x - width : x, y)
    return width
  }

  ground() {
    const { ctx, colours, face, accent } = this
    const { width, height } = this.box
    if (face.form === "group") {
      for (const offset of [8, 4]) this.outline(offset, offset, colours[`${face.kind}-wash`] ?? colours.page, colours.line, 1)
    }
    const strong = face.form === "group" || face.tone === "failed"
    const edge = face.form === "answer" ? colours["answer-edge"] : strong ? accent : this.box.hovered ? colours.quiet : colours.line
    if (face.tone === "stopped") ctx.setLineDash([3, 3])
    this.outline(0, 0, face.form === "answer" ? colours["answer-wash"] : colours.page, edge, strong || face.form === "answer" ? 1.4 : 1)
    ctx.setLineDash([])
    if (face.form === "chip") return
    ctx.save()
    ctx.beginPath()
    ctx.roundRect(0, 0, width, height, RADIUS)
    ctx.clip()
    ctx.fillStyle = face.tone === "mended" ? colours.line : accent
    ctx.fillRect(0, 0, face.form === "answer" ? 5 : 3, height)
    if (face.share) ctx.fillRect(3, height - 3, Math.max(2, (width - 3) * face.share), 3)
    ctx.restore()
    if (face.form === "answer") {
      ctx.fillStyle = colours["answer-edge"]
      ctx.fillRect(5, 0.7, 1, height - 1.4)
    }
  }

  outline(x, y, ground, edge, width) {
    const { ctx, box } = this
    ctx.beginPath()
    ctx.roundRect(x, y, box.width, box.height, RADIUS)
    ctx.fillStyle = ground
    ctx.fill()
    ctx.strokeStyle = edge
    ctx.lineWidth = width
    ctx.stroke()
  }

  // The figure stands at the right; returns where it begins.
  figure(y, size = 12) {
    const { face, box, colours, ctx } = this
    const right = box.width - PAD
    if (!face.figure) return right
    const ok = face.figure === "ok"
    const colour = ok ? `${face.kind}-ink` in colours ? `${face.kind}-ink` : "quiet" : face.tone === "failed" ? "failed-ink" : face.tone === "running" ? "root-ink" : "quiet"
    const style = { size, colour, bold: ok, italic: face.unknown, right: true, room: box.width * 0.55 }
    const left = right - this.write(face.figure, right, y, style)
    if (face.tone !== "running") return left
    ctx.beginPath()
    ctx.arc(left - 8, y - size / 3, 3.5, 0, 7)
    ctx.fillStyle = colours.root
    ctx.fill()
    return left - 14
  }

  chip() {
    const { face, box } = this
    const middle = box.height / 2
    shape(this.ctx, face.kind, this.colours, 8, middle - 6, 12)
    const right = this.figure(middle + 4)
    const more = box.id.endsWith(".more")
    this.write(box.label, 25, middle + 4.3, { size: 12.5, bold: !more, colour: more ? "quiet" : "text", room: right - 25 - (face.figure ? 7 : 0) })
  }

  row() {
    const { face, box } = this
    const middle = box.height / 2
    shape(this.ctx, face.kind, this.colours, 11, middle - 7, 14)
    const right = this.figure(middle + 4) - 10
    const line = face.lines?.[0]
    const room = line ? (right - 31) * 0.5 : right - 31
    const taken = this.write(box.label, 31, middle + 4.5, { size: 13, bold: true, colour: "text", room })
    const left = 31 + Math.max(taken + 10, (right - 31) * 0.3)
    if (line) this.write(line, left, middle + 4.3, { room: right - left })
  }

  block() {
    const { face, box } = this
    const answer = face.form === "answer"
    const left = answer ? 13 : 11
    const top = answer ? 21.5 : 20.5
    shape(this.ctx, face.kind, this.colours, left, top - 12, answer ? 15 : 14)
    const right = this.figure(top)
    const room = right - left - 29
    this.ctx.font = `600 14px ${this.font}`
    const [title, rest] = answer ? wrap(this.ctx, box.label, room) : [box.label, ""]
    this.write(title, left + 21, top, { size: answer ? 14 : 13, bold: true, colour: "text", room })
    const [first, step] = answer ? [43, 19] : face.form === "group" ? [40, 16] : [38, 16]
    const lines = [rest, ...(face.lines ?? [])].filter(Boolean).slice(0, 2)
    const aside = buttons(box).length * (BUTTON + 6)
    lines.forEach((line, number) => {
      const style = { colour: answer && !number ? "text" : "quiet", size: answer && !number ? 12.5 : 12 }
      const y = first + number * step
      this.write(line, left, y, { ...style, room: box.width - left - PAD - (y > box.height - PAD - BUTTON ? aside : 0) })
    })
    for (const each of buttons(box)) this.button(each)
  }

  button({ sign, x, y, size }) {
    const { ctx, colours } = this
    ctx.beginPath()
    ctx.roundRect(x, y, size, size, RADIUS)
    ctx.fillStyle = colours.page
    ctx.fill()
    ctx.strokeStyle = colours.quiet
    ctx.lineWidth = 1
    ctx.stroke()
    const half = size / 2
    stroke(ctx, colours.text, 1.5, `M${x + 4} ${y + half}h${size - 8}${sign === "+" ? `M${x + half} ${y + 4}v${size - 8}` : ""}`)
  }

  ring() {
    const { ctx, box } = this
    const more = box.face.form === "group" ? 8 : 0
    ctx.beginPath()
    ctx.roundRect(-4, -4, box.width + 8 + more, box.height + 8 + more, RADIUS + 3)
    ctx.strokeStyle = this.colours.primary
    ctx.lineWidth = 2
    ctx.stroke()
  }
}

export function draw(ctx, box, { colours, font, scale, selected }) {
  const pen = new Pen(ctx, colours, font, box)
  ctx.save()
  ctx.translate(box.left, box.top)
  ctx.direction = "ltr"
  ctx.textAlign = "left"
  ctx.textBaseline = "alphabetic"
  ctx.fontVariantNumeric = "tabular-nums"
  pen.ground()
  if (scale >= WITH_TEXT_FROM) {
    if (box.face.form === "chip") pen.chip()
    else if (box.face.form === "row") pen.row()
    else pen.block()
  } else shape(ctx, box.face.kind, colours, 11, Math.min(9, box.height / 2 - 7), 14)
  if (selected) pen.ring()
  ctx.restore()
}
