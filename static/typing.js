// Whether a key is meant for what has the focus, and not for the page: somebody writes there, or walks in a table or a list.
const TYPED_INTO = "input, textarea, select, dialog, [role=grid], [role=combobox], [role=listbox], [data-testid=stDataFrame]"

function typing(event) {
  return event.composedPath().some(
    (each) => each instanceof Element && (each.matches(TYPED_INTO) || each.isContentEditable),
  )
}
