/** A visitor's view of a catalogue: a filter and a search, and their encoding in the address. */
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

/** Parses `?filtro=disponible&q=bleu`. An unknown filter shows every product. */
export function parseView(search: string): View {
  const parameters = new URLSearchParams(search)
  const filter = FILTERS.find((name) => name === parameters.get('filtro')) ?? 'todos'
  return { filter, query: parameters.get('q') ?? '' }
}

/** Returns `search` with this view in it and other parameters unchanged. The default view adds no parameters. */
export function formatView(view: View, search: string): string {
  const parameters = new URLSearchParams(search)
  parameters.delete('filtro')
  parameters.delete('q')
  if (view.filter !== 'todos') parameters.set('filtro', view.filter)
  if (view.query !== '') parameters.set('q', view.query)
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** Whether the view shows a product with this name and availability. */
export function isSeen(view: View, name: string, available: boolean): boolean {
  return isKept(view.filter, available) && isFound(view.query, name)
}

/** Whether every word of the query occurs in the name, ignoring accents and case. */
export function isFound(query: string, name: string): boolean {
  const folded = foldText(name)
  return foldText(query)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}

function isKept(filter: Filter, available: boolean): boolean {
  return filter === 'todos' || available === (filter === 'disponible')
}
