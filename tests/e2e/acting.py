"""What a page must not hold, whatever the texts on it say."""

from __future__ import annotations

ACTS = """() => {
  const found = []
  const look = root => {
    for (const each of root.querySelectorAll('*')) {
      if (each.shadowRoot) look(each.shadowRoot)
      for (const name of ['src', 'href', 'data', 'action', 'srcset', 'poster'])
        if (/evil\\.example|^http:\\/\\/b/.test(each.getAttribute(name) ?? '')) found.push(each.outerHTML.slice(0, 200))
      if (each.tagName === 'SCRIPT' && /alert\\(1\\)/.test(each.textContent)) found.push('script')
      if (each.tagName === 'STRONG' && each.textContent === 'bold') found.push('Markdown')
      if (each.classList?.contains('katex')) found.push('formula')
    }
  }
  look(document)
  return found
}"""
