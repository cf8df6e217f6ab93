/**
 * The choices of a visitor who looks at a catalogue: filter, decants, sort order and search, and their encoding in the
 * address.
 */
import type { Product } from '../documents/product.ts'
import type { SearchText } from './search.ts'

/**
 * Decides which products each filter shows. The keys are the filters' words in the address, in the order of the filter
 * codes 0, 1 and 2; messages.ts has the names that pages show. Source: docs/specification.md, Filters.
 */
const FILTER_RULES = {
  todos: Boolean,
  disponible: (product) => product.available,
  'no-disponible': (product) => !product.available,
} as const satisfies Readonly<Record<string, (product: Offered) => boolean>>

export type Filter = keyof typeof FILTER_RULES
export const FILTERS = Object.keys(FILTER_RULES) as [Filter, ...Filter[]]

export type FilterCounts = Readonly<Record<Filter, number>>

export function countFiltered(products: readonly Offered[]): FilterCounts {
  const counts = {} as Record<Filter, number>
  for (const filter of FILTERS) counts[filter] = products.filter(FILTER_RULES[filter]).length
  return counts
}

/** Choices that narrow the catalogue to products with an available decant of a size; `todos` does not narrow it. */
export const DECANT_CHOICES = ['todos', '5ml', '10ml'] as const
export type DecantChoice = (typeof DECANT_CHOICES)[number]

/** By name, by price from the lowest, by price from the highest. */
export const ORDERS = ['nombre', 'precio-menor', 'precio-mayor'] as const
export type Order = (typeof ORDERS)[number]

export type View = {
  readonly filter: Filter
  readonly decants: DecantChoice
  readonly order: Order
  /** As the visitor typed it. */
  readonly query: string
}

export const EVERYTHING: View = { filter: 'todos', decants: 'todos', order: 'nombre', query: '' }

/** The address parameter for each part of a `View`, in the order in which the address has them. */
export const PARAMETERS = { filter: 'filtro', decants: 'decants', order: 'orden', query: 'q' } as const

/** The facts about a product by which pages filter, sort and search. */
export type ViewedProduct = {
  readonly text: SearchText
  readonly price: number | null
  readonly available: boolean
  /** Whether the decant of each size is available. */
  readonly decants: Readonly<Record<Exclude<DecantChoice, 'todos'>, boolean>>
}

/** The facts about a product on which the filter and the choice of decants depend. */
type Offered = Pick<ViewedProduct, 'available' | 'decants'>

export function readOffered({ available, _5ml, _10ml }: Product): Offered {
  return { available, decants: { '5ml': _5ml.available, '10ml': _10ml.available } }
}

/** Parses `?filtro=disponible&decants=5ml&orden=precio-menor&q=bleu`. Unknown values mean the default. */
export function parseView(search: string): View {
  const parameters = new URLSearchParams(search)
  return {
    filter: parseChoice(FILTERS, parameters.get(PARAMETERS.filter)),
    decants: parseChoice(DECANT_CHOICES, parameters.get(PARAMETERS.decants)),
    order: parseChoice(ORDERS, parameters.get(PARAMETERS.order)),
    query: parameters.get(PARAMETERS.query) ?? '',
  }
}

/** Returns the choice that equals `text`, or else the first one, which is the default. */
export function parseChoice<C extends string>(
  choices: readonly [C, ...(readonly C[])],
  text: string | null | undefined,
): C {
  return choices.find((choice) => choice === text) ?? choices[0]
}

/**
 * Returns the query string `search` with the parameters of `view`, and with other parameters unchanged. A default adds
 * no parameter.
 */
export function formatView(view: View, search: string): string {
  const parameters = new URLSearchParams(search)
  for (const part of Object.keys(PARAMETERS) as (keyof View)[]) {
    parameters.delete(PARAMETERS[part])
    if (view[part] !== EVERYTHING[part]) parameters.set(PARAMETERS[part], view[part])
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** Returns whether a product matches the chosen filter and decants. `createSearch` tests the query. */
export function isKept({ filter, decants }: View, product: Offered): boolean {
  return FILTER_RULES[filter](product) && (decants === 'todos' || product.decants[decants])
}

/**
 * Sorts products that are already sorted by name. Products with equal prices keep that order; those without a price, or
 * with price 0, come last in both directions.
 */
export function orderProducts<P extends Pick<ViewedProduct, 'price'>>(
  products: readonly P[],
  order: Order,
): readonly P[] {
  if (order === 'nombre') return products
  const sign = order === 'precio-menor' ? 1 : -1
  const rank = ({ price }: P): number => (price ? sign * price : Infinity)
  // For two products without a price, the difference is NaN, which `|| 0` replaces.
  return [...products].sort((a, b) => rank(a) - rank(b) || 0)
}
