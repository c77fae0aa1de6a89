// Loads what draws the recursion graph, once for each page, and hands it the data. Small on purpose: it is sent with every mount.
const PARTS = ["graph", "boxes", "ways", "camera", "panel", "hands"]

function script(address) {
  window.rlmScripts ??= {}
  window.rlmScripts[address] ??= new Promise((loaded, failed) => {
    const element = document.createElement("script")
    element.src = address
    element.onload = loaded
    element.onerror = () => {
      delete window.rlmScripts[address] // whoever opens the graph again may try again
      failed(new Error(`${address} could not be loaded.`))
    }
    document.head.append(element)
  })
  return window.rlmScripts[address]
}

async function start(root, data) {
  const at = (path) => new URL(data.assets + path, document.baseURI).href
  const parts = PARTS.map((name) => import(at(`/call_graph/${name}.js?v=${data.version}`)))
  const [, ...loaded] = await Promise.all([script(at("/vis/vis-network.min.js")), ...parts])
  const [{ Graph }, drawing, ways, { Camera }, panel, hands] = loaded
  return new Graph(root, { vis: window.vis, drawing, ways, Camera, panel, ...hands })
}

export default function (component) {
  const root = component.parentElement.querySelector(".graph")
  root.ready ??= start(root, component.data)
  root.latest = component
  root.ready.then(
    (graph) => root.latest === component && graph.show(component),
    (error) => { root.textContent = `The graph cannot be drawn: ${error.message}` },
  )
  return () => root.ready.then((graph) => graph.destroy(), () => {})
}
