/** The view as the page's address keeps it, so that a reload or a shared link shows the same. */
import type { View } from '../domain/view.ts'
import { formatView, parseView } from '../domain/view.ts'

export function readView(): View {
  return parseView(location.search)
}

export function writeView(view: View): void {
  const search = formatView(view, location.search)
  if (search === location.search) return
  const url = new URL(location.href)
  url.search = search
  history.replaceState(history.state, '', url)
}
