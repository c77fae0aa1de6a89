export default function ({ parentElement, data }) {
  const link = parentElement.querySelector("a")
  link.href = data.address
  link.title = data.hint
  link.querySelector(".label").textContent = data.label
}
