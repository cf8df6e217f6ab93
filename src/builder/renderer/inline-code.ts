/** Hashes the inline scripts and styles of pages, for a content security policy. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Parser } from 'htmlparser2'
import { createCatalogue } from '../../domain/catalogue/catalogue.ts'
import { mapSwitches } from '../../domain/documents/page-switches.ts'
import type { Page, ScreenPage } from '../../domain/pages/page.ts'
import { isText, SELLER_PAGES, SITE_PAGES } from '../../domain/pages/page.ts'
import type { Picture } from '../../domain/photos/picture.ts'
import { NO_PICTURES } from '../../domain/photos/picture.ts'
import type { Product } from '../../domain/documents/product.ts'
import type { createRenderer } from './server-entry.ts'
import type { InlineHashes } from './renderer-store.ts'
import { INLINE_LIST } from './renderer-store.ts'

/** Type of scripts that hold data. They never run, so the policy need not allow them. */
const DATA = 'application/ld+json'

const SITE = { name: 'Vitrina', url: 'http://site.invalid', accessUrl: null, ...mapSwitches(() => true) }

const PRODUCT: Product = {
  id: 'id',
  name: 'name',
  photo: '/photo.svg',
  price: 1,
  available: true,
  _5ml: { price: 1, available: true },
  _10ml: { price: null, available: false },
}

/**
 * A picture with a tone (the index of its placeholder colour), so that the styles of the example pages include the
 * rules for tones.
 */
const PICTURE: Picture = { type: null, sources: [{ path: '/photo.avif', width: 1 }], tone: 0 }

const SOLD_OUT: Product = { ...PRODUCT, photo: null, price: null, available: false }

// Returns pages of each kind that is HTML, with and without products and pictures. Together these pages contain all
// inline code, because inline code depends on no other data.
function createExamples(): readonly ScreenPage[] {
  const pictured = new Map([[String(PRODUCT.photo), PICTURE]])
  const sellers = [[], [PRODUCT], [SOLD_OUT], [PRODUCT, SOLD_OUT]].flatMap((products) =>
    [NO_PICTURES.photos, pictured].map((photos) => ({
      catalogue: createCatalogue('id', null, products),
      pictures: { photos, social: null },
      previews: {},
    })),
  )
  return [
    ...Object.values(SITE_PAGES).map((create) => create({ stores: [], social: null })),
    ...Object.values(SELLER_PAGES)
      .flatMap((create) => sellers.map((parts): Page | null => create(parts, PRODUCT.id)))
      .filter((page) => page !== null && !isText(page)),
  ]
}

/** Writes the hashes of all inline code next to a compiled server. */
export async function writeInlineHashes(compiled: URL): Promise<void> {
  const pages = await renderExamples(new URL('server/entry.mjs', compiled))
  const found = pages.map(findInlineHashes)
  const hashes: InlineHashes = {
    scripts: sortOnce(found.flatMap(({ scripts }) => scripts)),
    styles: sortOnce(found.flatMap(({ styles }) => styles)),
  }
  writeFileSync(fileURLToPath(new URL(INLINE_LIST, compiled)), JSON.stringify(hashes))
}

/** Returns the hashes in the order of the elements on the page. */
export function findInlineHashes(html: string): InlineHashes {
  const texts = { script: [] as string[], style: [] as string[] }
  let into: string[] | null = null
  const parser = new Parser({
    onopentag: (name, { src, type }) => {
      if (name === 'style') into = texts.style
      else if (name === 'script' && src === undefined && type !== DATA) into = texts.script
      else into = null
      into?.push('')
    },
    ontext: (text) => into?.push((into.pop() ?? '') + text),
    onclosetag: () => {
      into = null
    },
  })
  parser.end(html)
  return { scripts: texts.script.map(formatHash), styles: texts.style.map(formatHash) }
}

async function renderExamples(entry: URL): Promise<readonly string[]> {
  const server: { createRenderer: typeof createRenderer } = await import(entry.href)
  const { render } = server.createRenderer(SITE)
  const pages: string[] = []
  for (const page of createExamples()) pages.push((await render(page)).join(''))
  return pages
}

function formatHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function sortOnce(hashes: readonly string[]): readonly string[] {
  return [...new Set(hashes)].sort()
}
