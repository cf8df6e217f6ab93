/** Metadata of the pages for search engines and link previews. */
import { expect, inject, it } from 'vitest'
import type { BuiltPage } from '../../../scripts/audit/pages/built-page.ts'
import { createPage, findAll, findNamed } from '../../../scripts/audit/pages/built-page.ts'
import { formatProductPath } from '../../../src/domain/pages/paths.ts'
import { formatAddress } from '../../support/browser/catalogue-screen.ts'
import { CATALOGUES, EMPTY, THIRTY, isAvailable } from '../../support/run/sample-catalogues.ts'

/** Default origin of canonical addresses. */
const SITE = 'http://localhost:8787'

async function open(path: string): Promise<BuiltPage> {
  const response = await fetch(inject('origin') + path)
  return createPage(path, path.startsWith('/catalogo/') ? 'catalogue' : 'home', await response.text())
}

/** Every `meta` of the head by its name, and the canonical address. */
function readHead({ tree }: BuiltPage): Readonly<Record<string, string | undefined>> {
  const metas = findNamed(tree, 'meta').map(({ attribs }) => [
    attribs['name'] ?? attribs['property'] ?? '',
    attribs['content'],
  ])
  const [canonical] = findAll(tree, ({ attribs }) => attribs['rel'] === 'canonical')
  return { ...Object.fromEntries(metas), canonical: canonical?.attribs['href'] }
}

it('the site describes a catalogue under its own address', async () => {
  const accented = CATALOGUES.find(({ seller }) => encodeURIComponent(seller) !== seller) ?? THIRTY
  for (const catalogue of [THIRTY, accented]) {
    const head = readHead(await open(formatAddress(catalogue)))
    const address = SITE + formatAddress(catalogue)
    const { products } = catalogue
    const description = expect.stringMatching(
      `^${products.length} productos, ${products.filter(isAvailable).length} disponibles, decants desde RD\\$\\d`,
    )
    expect(head).toMatchObject({
      canonical: address,
      description,
      'og:url': address,
      'og:type': 'website',
      'og:site_name': 'Vitrina',
      'og:locale': 'es_DO',
      'og:title': catalogue.name,
      'og:description': head['description'],
      'twitter:card': 'summary',
    })
    expect(head).not.toHaveProperty('robots')
  }
})

it('the site describes a product under its own address, with its price', async () => {
  const product = THIRTY.products.find(({ photo, price, available }) => photo && price && available)
  const path = formatProductPath(THIRTY.seller, product?.id ?? '')
  const page = createPage(path, 'product', (await open(path)).html)
  const head = readHead(page)
  expect(head).toMatchObject({
    canonical: SITE + path,
    'og:url': SITE + path,
    'og:title': product?.name,
    'og:type': 'product',
    'product:price:amount': String(product?.price),
    'product:price:currency': 'DOP',
    'product:availability': 'in stock',
    description: expect.stringMatching(`^RD\\$\\d.*${THIRTY.name}\\.$`),
  })
  expect(head).not.toHaveProperty('robots')
})

it('the home page describes the site', async () => {
  const head = readHead(await open('/'))
  expect(head).toMatchObject({ canonical: `${SITE}/`, 'og:url': `${SITE}/`, 'og:title': 'Vitrina' })
  expect(head['description']).toMatch(/perfumes.*RD\$/)
})

it('the site describes a catalogue without products, and excludes it from search engines', async () => {
  const page = await open(formatAddress(EMPTY))
  const head = readHead(page)
  expect(head).toMatchObject({
    robots: 'noindex',
    'og:title': EMPTY.name,
    'og:description': expect.any(String),
  })
  expect([head['canonical'], head['og:url']]).toEqual([undefined, undefined])
  expect(page.html).not.toContain('ld+json')
})

it('the site has no description, link preview or canonical address on pages that are not found', async () => {
  for (const path of ['/catalogo/nadie', '/no-existe']) {
    const page = await open(path)
    const names = Object.keys(readHead(page)).filter((name) => /^(og|twitter):|description/.test(name))
    expect([names, readHead(page)['canonical']]).toEqual([[], undefined])
    expect(page.html).not.toContain('ld+json')
  }
})

it('the site has icons of the sizes in its manifest', async () => {
  const response = await fetch(`${inject('origin')}/manifest.webmanifest`)
  expect(response.headers.get('content-type')).toContain('application/manifest+json')
  const { name, icons }: { name: string; icons: readonly Icon[] } = JSON.parse(await response.text())
  expect(name).toBe('Vitrina')
  const touch = { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png' }
  const pictures = [...icons, touch].filter(({ type }) => type === 'image/png')
  expect(pictures.length).toBe(4)
  expect(icons.map(({ purpose }) => purpose)).toContain('maskable')
  const { status, headers } = await fetch(`${inject('origin')}/favicon.ico`)
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\/.*icon/)])
  for (const { src, sizes } of pictures) expect(await readPngSize(src)).toBe(sizes)
})

interface Icon {
  readonly src: string
  readonly sizes: string
  readonly type: string
  readonly purpose?: string
}

async function readPngSize(path: string): Promise<string> {
  const bytes = Buffer.from(await (await fetch(inject('origin') + path)).arrayBuffer())
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
}
