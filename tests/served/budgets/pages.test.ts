/** Transfer size of a catalogue of thirty products. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { FOLLOWER } from '../../../src/site/islands/catalogue/follower.ts'
import { formatAddress } from '../../support/browser/catalogue-screen.ts'
import { THIRTY } from '../../support/run/sample-catalogues.ts'

/** In bytes of brotli: compressed as well as it can, and at the usual level of edges for files compressed on the fly. */
const PAGE_BUDGETS = [
  [constants.BROTLI_MAX_QUALITY, 12_000],
  [4, 12_000],
] as const
const REACT_BUDGET = 75_000
const ORDER_BUDGET = 7_250
const INLINE_SCRIPT_BUDGET = 7_200

const html = await read(formatAddress(THIRTY))

test.each(PAGE_BUDGETS)(
  'the page, with its styles and inline scripts, at brotli level %d: at most %d bytes',
  (level, most) => {
    expect(html.match(/class="card"/g)).toHaveLength(30)
    const params = { [constants.BROTLI_PARAM_QUALITY]: level }
    expect(brotliCompressSync(html, { params }).length).toBeLessThanOrEqual(most)
  },
)

test('the page of a catalogue needs no other file to be read and filtered', () => {
  expect(html.match(/<script[^>]*\ssrc=/g)).toBeNull()
  expect(html.match(/<link[^>]*(stylesheet|preload(?!" as="image")|modulepreload)/g)).toBeNull()
  expect(html.match(/@import|@font-face/g)).toBeNull()
})

test('the inline script of the first tap stays small', () => {
  const script =
    html
      .split('<script>')
      .find((part) => part.includes(FOLLOWER))
      ?.split('</script>')[0] ?? ''
  expect(script).not.toBe('')
  expect(script.length).toBeLessThanOrEqual(INLINE_SCRIPT_BUDGET)
})

test('what React adds at the first touch stays within 75 kB of gzip', async () => {
  const chunks = await readChunks(/-url="(\/_astro\/[^"]+\.js)"/g)
  expect(chunks.size).toBeGreaterThan(1)
  expect(weigh(chunks)).toBeLessThanOrEqual(REACT_BUDGET)
})

test('what the order adds at its first touch stays within 7.25 kB of gzip', async () => {
  const chunks = await readChunks(/data-module="(\/_astro\/[^"]+\.js)"/g)
  expect(chunks.size).toBe(1)
  expect(weigh(chunks)).toBeLessThanOrEqual(ORDER_BUDGET)
})

function weigh(chunks: ReadonlyMap<string, string>): number {
  return [...chunks.values()].reduce((sum, code) => sum + gzipSync(code).length, 0)
}

/** Returns every chunk that the page references like this, with their imports. */
async function readChunks(reference: RegExp): Promise<ReadonlyMap<string, string>> {
  const chunks = new Map<string, string>()
  const waiting = [...html.matchAll(reference)].map((match) => match[1] ?? '')
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (chunks.has(path)) continue
    const code = await read(path)
    chunks.set(path, code)
    for (const [, name] of code.matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g)) waiting.push(`/_astro/${name}`)
  }
  return chunks
}

async function read(path: string): Promise<string> {
  const response = await fetch(inject('origin') + path)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.text()
}
