// How the ways between boxes are drawn: curves from the right side of one to the left side of the next, as thick as their part of the cost.
const ASIDE = 24 // where what follows, or is a member, hangs from a box: this far from its left side

function middle(box) {
  return box.top + box.height / 2
}

function path(way, start, end) {
  if (way === "next") return `M${start.left + ASIDE} ${start.top + start.height}V${end.top}`
  if (way === "member") return `M${start.left + ASIDE} ${start.top + start.height}V${end.top}`
  const [x, y, to, at] = [start.left + start.width, middle(start), end.left, middle(end)]
  const bend = (x + to) / 2
  return `M${x} ${y}C${bend} ${y} ${bend} ${at} ${to} ${at}`
}

function look(edge, end, colours) {
  if (end.face.form === "answer") return [colours["answer-edge"], 2, 1]
  if (end.face.kind === "failed") return [colours.failed, 1.6, 1]
  if (edge.width > 1.5) return [colours[end.face.kind], edge.width, 0.35]
  return [colours.line, edge.width, 1]
}

export function draw(ctx, edges, boxes, colours) {
  for (const edge of edges) {
    const [start, end] = [boxes.get(edge.from), boxes.get(edge.to)]
    if (edge.way === "member" && (end.left > start.left || end.top > start.top + start.height + 20)) continue // the first chip only
    const [colour, width, alpha] = look(edge, end, colours)
    ctx.save()
    ctx.strokeStyle = colour
    ctx.lineWidth = width
    ctx.globalAlpha = alpha
    if (edge.dashes) ctx.setLineDash([4, 3])
    ctx.stroke(new Path2D(path(edge.way, start, end)))
    ctx.restore()
  }
}
