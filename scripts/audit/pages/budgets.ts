/** Max compressed size of each kind of page, including inlined styles and scripts. */
import { brotliCompressSync, constants } from 'node:zlib'
import type { BuiltPage } from './built-page.ts'

export interface PageWeight {
  readonly path: string
  /** Compressed with brotli, in bytes. */
  readonly bytes: number
  readonly budget: number
}

/** Brotli quality that edge servers use for files compressed on the fly. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const FIXED = {
  home: 4_000,
  product: 8_000,
  'unknown-product': 3_000,
  poster: 10_000,
  'not-found': 3_000,
  'unknown-catalogue': 8_200,
  search: 14_000,
} as const
const CATALOGUE = { budget: 14_000, products: 30, eachMore: 300 }

export function weighPage({ path, kind, html, cards }: BuiltPage): PageWeight {
  const more = Math.max(0, cards.length - CATALOGUE.products)
  const budget = kind === 'catalogue' ? CATALOGUE.budget + more * CATALOGUE.eachMore : FIXED[kind]
  return { path, bytes: brotliCompressSync(html, QUALITY).length, budget }
}

/** Returns problems as phrases that follow the page's path. */
export function checkWeight({ bytes, budget }: PageWeight): readonly string[] {
  return bytes <= budget
    ? []
    : [`weighs ${bytes} bytes compressed with brotli, but at most ${budget} are allowed`]
}
