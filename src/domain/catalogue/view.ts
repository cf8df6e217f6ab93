/** What a visitor chose to see of a catalogue: a filter and a search, and how both stand in the address. */
import { foldText } from '../documents/text.ts'

/** In the order of the filter codes 0, 1 and 2. Source: docs/design.md, Filters. */
export const FILTERS = ['todos', 'disponible', 'no-disponible'] as const
export type Filter = (typeof FILTERS)[number]

export type View = {
  readonly filter: Filter
  /** As typed. */
  readonly query: string
}

export const EVERYTHING: View = { filter: 'todos', query: '' }

/** `?filtro=disponible&q=bleu`; whatever is unknown means all. */
export function parseView(search: string): View {
  const parameters = new URLSearchParams(search)
  const filter = FILTERS.find((name) => name === parameters.get('filtro')) ?? 'todos'
  return { filter, query: parameters.get('q') ?? '' }
}

/** The address's search with this view in it, other parameters untouched; empty when nothing is chosen. */
export function formatView(view: View, search: string): string {
  const parameters = new URLSearchParams(search)
  parameters.delete('filtro')
  parameters.delete('q')
  if (view.filter !== 'todos') parameters.set('filtro', view.filter)
  if (view.query !== '') parameters.set('q', view.query)
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** Whether a product with this name and availability is seen. */
export function isSeen(view: View, name: string, available: boolean): boolean {
  return isKept(view.filter, available) && isFound(view.query, name)
}

/** Every typed word must occur in the name; accents and case do not count. */
export function isFound(query: string, name: string): boolean {
  const folded = foldText(name)
  return foldText(query)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}

function isKept(filter: Filter, available: boolean): boolean {
  return filter === 'todos' || available === (filter === 'disponible')
}
