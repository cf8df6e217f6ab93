/** Answers of the real edge runtime for the built sample. */
import { describe, expect, inject, it } from 'vitest'
import { THIRTY } from '../../support/run/sample-catalogues.ts'
import { formatProductPath } from '../../../src/domain/pages/paths.ts'

async function read(path: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(inject('origin') + path, { redirect: 'manual' })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

describe('the edge', () => {
  it('serves a page of the seller for a product that she does not have', async () => {
    const { status, text } = await read(formatProductPath(THIRTY.seller, 'gone'))
    expect([status, text.includes(THIRTY.name)]).toEqual([404, true])
  })

  it('revalidates pages, caches hashed files for a year, and never caches the 404 of a missing one', async () => {
    const { text, headers } = await read('/catalogo/1')
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
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

  it('answers every address under /api by the Worker', async () => {
    for (const [path, expected] of [
      ['/api/rebuild', 405],
      ['/api/rebuild/nothing', 404],
      ['/api/nothing', 404],
    ] as const) {
      const { status, headers } = await read(path)
      expect([status, headers.get('content-type')]).toEqual([expected, 'application/json'])
    }
  })
})
