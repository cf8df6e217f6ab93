/**
 * Renderers that are much faster than compiled ones: their markup consists of the version of the code and all data of
 * the page.
 */
import { mapSwitches } from '../../../../src/domain/documents/page-switches.ts'
import { formatCanonicalJson } from '../../../../src/domain/documents/json.ts'
import type { Product } from '../../../../src/domain/documents/product.ts'
import { FORMAT } from '../../../../src/domain/objects/object-data.ts'
import type { SellerData } from '../../../../src/domain/objects/object-data.ts'
import type { EdgeRenderer } from '../../../../src/edge/objects/edge-renderer.ts'
import type { Code } from './happenings.ts'

export const STORY_SITE = {
  name: 'Vitrina',
  url: 'https://vitrina.example',
  accessUrl: null,
  ...mapSwitches(() => true),
}

/** Returns the intake of a version of the code. `a` and `b` have the same intake; `c` has another one. */
export function findIntake(code: Code): string {
  return code === 'c' ? 'intake of c' : 'intake of a and b'
}

export function createStoryRenderer(code: Code): EdgeRenderer {
  return {
    code,
    intake: findIntake(code),
    format: FORMAT,
    site: STORY_SITE,
    policy: `default-src 'self'; script-src 'sha256-${code}'`,
    homePicture: null,
    headers: [['X-Content-Type-Options', 'nosniff']],
    render: async (page) =>
      `<!doctype html><html data-code="${code}"><body>${formatCanonicalJson(page)}</body>`,
  }
}

/** Returns the name that the intake of `code` gives to a product called `name`. */
export function renameIn(name: string, code: Code): string {
  return findIntake(code) === findIntake('c') ? `${name} (c)` : name
}

/** Returns the data that code with this intake makes from the documents of `data`. */
export function takeIn(data: SellerData | null, intake: string): SellerData | null {
  if (data === null || intake !== findIntake('c')) return data
  const { catalogue } = data
  const rename = (product: Product): Product => ({ ...product, name: renameIn(product.name, 'c') })
  return { ...data, catalogue: { ...catalogue, products: catalogue.products.map(rename) } }
}
