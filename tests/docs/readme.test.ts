/** The README stays short and loads quickly. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listInlineCode, readPage } from '../support/run/documentation.ts'
import { ROOT } from '../support/rebuild/rebuild.ts'

const MAX_LINES = 120
/** In bytes. */
const MAX_PICTURE = 150_000

const { text } = readPage('README.md')

it('has at most 120 lines', () => {
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES)
})

it('shows only small pictures', () => {
  const pictures = [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path)
  expect(pictures).toContain('docs/bench.svg')
  expect(pictures.length).toBeGreaterThan(1)
  for (const path of pictures) expect(statSync(join(ROOT, path)).size, path).toBeLessThan(MAX_PICTURE)
})

it('names no symbol of the code, since a rename would falsify it', () => {
  expect(listInlineCode(text).filter((code) => /^[a-z]+[A-Z]\w*(?:\(.*\))?$|\w\(/.test(code))).toEqual([])
})
