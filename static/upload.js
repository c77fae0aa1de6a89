// Sends chosen or dropped files to the app as one stream, and shows how far that is, and then how far reading them is. What it
// may send, it is told with its data; the server counts for itself. Whether all went well, the page asks the server.
const MB = 1e6
const SAID_EVERY_MS = 500 // a screen reader need not hear more

function make(tag, name, text) {
  const element = document.createElement(tag)
  if (name) element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

function button(text, act) {
  const made = make("button", "", text)
  made.type = "button"
  made.onclick = act
  return made
}

function megabytes(bytes) {
  return Math.floor(bytes / MB).toLocaleString("en")
}

function cookie(name) {
  const found = document.cookie.split("; ").find(each => each.startsWith(name + "="))
  return found ? found.slice(name.length + 1) : ""
}

function children(folder) {
  const reader = folder.createReader()
  const found = []
  return new Promise((resolve, reject) => {
    const more = () => reader.readEntries(some => {
      if (!some.length) return resolve(found)
      found.push(...some)
      more()
    }, reject)
    more()
  })
}

async function filesBelow(entries, most) {
  const found = []
  const waiting = [...entries].reverse()
  while (waiting.length && found.length <= most) {
    const entry = waiting.pop()
    if (entry.isDirectory) waiting.push(...(await children(entry)).reverse())
    else found.push({ name: entry.fullPath.slice(1), file: await new Promise((resolve, reject) => entry.file(resolve, reject)) })
  }
  return found
}

function wrong(files, data) {
  const bytes = files.reduce((sum, each) => sum + each.file.size, 0)
  if (!files.length) return "There are no files in it."
  if (files.length > data.max_files) return `These are more than ${data.max_files.toLocaleString("en")} files. Upload them in parts, or as a zip.`
  if (bytes > data.max_bytes) return `These files have ${megabytes(bytes + MB - 1)} MB; an upload may have ${data.at_most}.`
  return ""
}

function send(root, files) {
  const { data, setTriggerValue } = root.component
  root.wrong.textContent = wrong(files, data)
  if (root.wrong.textContent || root.request) return
  if (data.ticket === root.used) { // the next one is on its way
    root.next = files
    return
  }
  root.used = data.ticket
  const list = JSON.stringify(files.map(each => [each.name, each.file.size])) + "\n"
  const request = new XMLHttpRequest()
  const end = how => {
    root.request = null
    setTriggerValue("ended", [data.ticket, how])
  }
  request.open("PUT", data.address)
  request.setRequestHeader("X-Upload-Ticket", data.ticket)
  request.setRequestHeader("X-Xsrftoken", cookie("_streamlit_xsrf"))
  request.upload.onprogress = event => far(root, event.loaded, event.total)
  request.onload = () => end(request.status === 202 ? "sent" : "failed")
  request.onerror = () => end("failed")
  request.onabort = () => end("stopped")
  request.send(new Blob([list, ...files.map(each => each.file)]))
  root.request = request
  root.said = 0
  root.far.textContent = "Uploading"
  root.since.textContent = root.bar.style.visibility = ""
  root.bar.value = 0
  draw(root)
  root.stop.focus()
}

function far(root, loaded, total) {
  root.bar.max = total || 1
  root.bar.value = loaded
  if (performance.now() - root.said < SAID_EVERY_MS && loaded < total) return
  root.said = performance.now()
  root.far.textContent = loaded < total ? `Uploading: ${megabytes(loaded)} of ${megabytes(total)} MB` : "Uploaded. It is about to be read."
}

function draw(root) {
  const { reading, share, since, asks, kinds, folders, at_most, ticket } = root.component.data
  if (root.next && !reading && ticket !== root.used) {
    const files = root.next
    root.next = null
    return send(root, files)
  }
  const stopped = root.sending.contains(root.getRootNode().activeElement)
  root.zone.hidden = Boolean(root.request || reading)
  root.sending.hidden = !root.zone.hidden
  if (stopped && root.sending.hidden) root.zone.querySelector("button").focus()
  if (!reading) {
    root.ask.textContent = asks
    root.input.setAttribute("aria-label", asks)
    root.folder.hidden = !folders
    root.hint.textContent = `${kinds}; ${at_most}`
    return
  }
  if (root.far.textContent !== reading) root.far.textContent = reading
  root.since.textContent = since
  root.bar.style.visibility = share === null ? "hidden" : ""
  root.bar.max = 1
  root.bar.value = share ?? 0
}

function stop(root) {
  if (root.request) root.request.abort()
  else root.component.setTriggerValue("ended", [root.component.data.ticket, "stopped"])
}

function choose(root, folder) {
  root.input.webkitdirectory = folder
  root.input.click()
}

function build(root) {
  root.zone = make("div", "zone")
  root.ask = make("p", "ask")
  root.folder = button("Choose a folder", () => choose(root, true))
  root.input = make("input")
  root.hint = make("p", "hint")
  root.wrong = make("p", "wrong")
  root.sending = make("div", "sending")
  root.far = make("p", "far")
  root.since = make("span", "since")
  root.bar = make("progress")
  root.stop = button("Cancel", () => stop(root))
  root.input.type = "file"
  root.input.multiple = true
  root.input.hidden = true
  root.wrong.setAttribute("role", "alert")
  root.far.setAttribute("role", "status")
  root.since.setAttribute("aria-hidden", "true") // it changes all the time
  root.bar.setAttribute("aria-label", "How far it is")
  root.input.onchange = () => {
    send(root, [...root.input.files].map(file => ({ name: file.webkitRelativePath || file.name, file })))
    root.input.value = "" // so that the same files can be chosen again
  }
  root.zone.append(
    root.ask,
    button("Choose files", () => choose(root, false)),
    root.folder,
    root.hint,
    root.input,
  )
  root.sending.append(root.far, root.since, root.stop, root.bar)
  root.append(root.zone, root.sending, root.wrong)
  takeDrops(root)
}

function takeDrops(root) {
  root.zone.ondragover = event => {
    event.preventDefault()
    root.zone.classList.add("over")
  }
  root.zone.ondragleave = () => root.zone.classList.remove("over")
  root.zone.ondrop = async event => {
    event.preventDefault()
    root.zone.classList.remove("over")
    const entries = [...event.dataTransfer.items].map(each => each.webkitGetAsEntry()).filter(Boolean) // now: later they are gone
    try {
      send(root, await filesBelow(entries, root.component.data.max_files))
    } catch {
      root.wrong.textContent = "Some of these files may not be read. Choose others."
    }
  }
}

export default function (component) {
  const root = component.parentElement.querySelector(".upload")
  root.component = component
  if (!root.firstChild) build(root)
  draw(root)
  return () => {
    if (!root.request) return
    root.request.onabort = null // nobody is there to be told
    root.request.abort()
  }
}
