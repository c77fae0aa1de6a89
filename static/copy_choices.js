// What can be copied of a node. The texts are from models and documents: they go to the clipboard and nowhere else.
function make(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  return element
}

function address(node) {
  const here = new URL(location.href)
  here.searchParams.set("node", node)
  return here.href
}

async function copy(choice, says) {
  const text = choice.text ?? address(choice.node)
  if (!navigator.clipboard) {
    says.textContent = "This browser lets a page copy only at https or on the machine it runs on."
    return
  }
  try {
    await navigator.clipboard.writeText(text)
    says.textContent = `${choice.name} copied, ${text.length.toLocaleString("en")} characters.`
  } catch {
    says.textContent = "The browser refused: allow this page to use the clipboard."
  }
}

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".copy")
  const written = JSON.stringify(data)
  if (root.written === written) return
  root.written = written
  const says = make("p", "says")
  says.setAttribute("role", "status")
  const rows = data.choices.map(choice => {
    const button = make("button", "choice")
    button.type = "button"
    button.append(make("b", "", choice.name), make("span", "", choice.says))
    button.onclick = () => copy(choice, says)
    return button
  })
  root.replaceChildren(...rows, says)
}
