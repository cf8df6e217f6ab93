/** The four sample items of the home page. Source: docs/specification.md, Sample items. */

export type HomeItem = {
  readonly name: string
  readonly category: string
  readonly storeId: string
  readonly price: number
  readonly cover: { readonly uri: string; readonly mode: 'contain' | 'cover' }
}

const STORE = '1'

const ITEMS = [
  ['mouse', 'tech', 300, 'contain'],
  ['dress', 'cloth', 700, 'cover'],
  ['perfume', 'fragancia', 1300, 'cover'],
  ['hat', 'cloth', 800, 'contain'],
] as const

export const HOME_ITEMS: readonly HomeItem[] = ITEMS.map(([name, category, price, mode]) => ({
  name,
  category,
  storeId: STORE,
  price,
  cover: { uri: `/portadas/${name}.svg`, mode },
}))

export const HOME_STORES: readonly string[] = [STORE]
