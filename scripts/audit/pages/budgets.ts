/** The compressed size that each kind of page may have, inlined styles and scripts included. */
import { brotliCompressSync, constants } from 'node:zlib'
import type { BuiltPage } from './built-page.ts'

export interface PageWeight {
  readonly path: string
  /** Compressed with brotli. */
  readonly bytes: number
  readonly budget: number
}

/** The quality that edges use to compress on the fly. */
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

/** Returns problems, each in words that follow the page's path. */
export function checkWeight({ bytes, budget }: PageWeight): readonly string[] {
  return bytes <= budget ? [] : [`weighs ${bytes} bytes of brotli, ${budget} are allowed`]
}
