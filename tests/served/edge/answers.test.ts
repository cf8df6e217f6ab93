/** Answers of the real edge runtime for the built sample. */
import { describe, expect, inject, it } from 'vitest'
import { CATALOGUES, THIRTY } from '../../support/run/sample-catalogues.ts'
import { formatProductPath } from '../../../src/domain/pages/paths.ts'

async function read(path: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(inject('origin') + path, { redirect: 'manual' })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const findTitle = (html: string): string | undefined => /<title>(.*?)<\/title>/.exec(html)?.[1]

describe('the edge', () => {
  it('serves the home page and every seller under its own address, without a redirect', async () => {
    expect(findTitle((await read('/')).text)).toBe('Inicio | Vitrina')
    expect(findTitle((await read('/catalogo/1')).text)).toBe('Rosa Amelia Peña Marte | Vitrina')
    const accented = await read(`/catalogo/${encodeURIComponent('perfumería ana')}`)
    expect([accented.status, findTitle(accented.text)]).toEqual([200, 'Ana Núñez Báez | Vitrina'])
  })

  it('answers 404 with the empty catalogue for an unknown seller, and with another page elsewhere', async () => {
    const unknown = await read('/catalogo/nobody')
    expect([unknown.status, findTitle(unknown.text)]).toEqual([404, 'Jhon Doe | Vitrina'])
    expect(unknown.text).not.toContain('class="card"')
    const nothing = await read('/nothing')
    expect(nothing.status).toBe(404)
    expect(findTitle(nothing.text)).not.toBe(findTitle(unknown.text))
  })

  it('serves the page of each product, and a page of the seller for one that she does not have', async () => {
    const accented = CATALOGUES.find(({ seller }) => encodeURIComponent(seller) !== seller) ?? THIRTY
    for (const { seller, name, products } of [THIRTY, accented]) {
      const [product] = products
      const page = await read(formatProductPath(seller, product?.id ?? ''))
      expect([page.status, findTitle(page.text)]).toEqual([200, `${product?.name} | Vitrina`])
      const gone = await read(formatProductPath(seller, 'gone'))
      expect([gone.status, findTitle(gone.text)]).toEqual([404, 'Página no encontrada | Vitrina'])
      expect(gone.text).toContain(name)
    }
    const stranger = await read('/catalogo/nobody/gone')
    expect([stranger.status, findTitle(stranger.text)]).toEqual([404, 'Jhon Doe | Vitrina'])
    // The seller's folder has no page of its own.
    const { status, headers } = await read('/catalogo/1/')
    expect([status, headers.get('location')]).toEqual([307, '/catalogo/1'])
  })

  it('revalidates pages, caches hashed files for a year, and never caches the 404 of a missing one', async () => {
    const { text, headers } = await read('/catalogo/1')
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const held = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await fetch(`${inject('origin')}/catalogo/1`, { headers: held })).status).toBe(304)
    const asset = /component-url="([^"]+)"/.exec(text)?.[1] ?? ''
    expect((await read(asset)).headers.get('cache-control')).toContain('immutable')
    const missing = await read('/_astro/missing.js')
    expect(missing.status).toBe(404)
    expect(missing.headers.get('cache-control')).not.toContain('immutable')
    // Rules for the folders of pictures apply to missing files too.
    for (const path of ['/fotos/missing.webp', '/social/missing.jpg']) {
      const { status, headers: told } = await read(path)
      const age = Number(/max-age=(\d+)/.exec(told.get('cache-control') ?? '')?.[1])
      expect([path, status, age]).toEqual([path, 404, 86_400])
      expect(told.get('cache-control')).not.toContain('immutable')
    }
  })

  it('does not serve files that are not for visitors', async () => {
    for (const path of ['/.partial', '/.assetsignore', '/_headers'])
      expect((await read(path)).status).toBe(404)
    // The Worker answers under /api.
    for (const [path, status, type] of [
      ['/api/rebuild', 405, 'application/json'],
      ['/api/rebuild/nothing', 404, 'application/json'],
      ['/api/nothing', 404, 'application/json'],
    ] as const) {
      const answer = await read(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type])
    }
  })
})
