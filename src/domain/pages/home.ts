/** The four sample items of the home page. Source: docs/specification.md, Sample items. */

export type HomeItem = {
  readonly name: string
  readonly category: string
  readonly storeId: string
  readonly price: number
  readonly cover: { readonly uri: string; readonly mode: 'contain' | 'cover' }
}

const STORE = '1'

export const HOME_ITEMS: readonly HomeItem[] = [
  {
    name: 'mouse',
    category: 'tech',
    storeId: STORE,
    price: 300,
    cover: { uri: '/portadas/mouse.svg', mode: 'contain' },
  },
  {
    name: 'dress',
    category: 'cloth',
    storeId: STORE,
    price: 700,
    cover: { uri: '/portadas/dress.svg', mode: 'cover' },
  },
  {
    name: 'perfume',
    category: 'fragancia',
    storeId: STORE,
    price: 1300,
    cover: { uri: '/portadas/perfume.svg', mode: 'cover' },
  },
  {
    name: 'hat',
    category: 'cloth',
    storeId: STORE,
    price: 800,
    cover: { uri: '/portadas/hat.svg', mode: 'contain' },
  },
]

export const HOME_STORES: readonly string[] = [...new Set(HOME_ITEMS.map((item) => item.storeId))]
