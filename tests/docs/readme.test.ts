/** README and design stay short, and their pictures are small and up to date. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { drawRooms, ROOMS_PICTURE } from '../../scripts/audit/code/draw-rooms.ts'
import { WINGS } from '../../scripts/audit/code/rooms.ts'
import { listInlineCode, readDocumentationPage } from '../support/run/documentation.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'

const MAX_LINES = { 'README.md': 110, 'docs/design.md': 250 }
/** In bytes. */
const MAX_PICTURE = 150_000

const { text } = readDocumentationPage('README.md')

it.each(Object.entries(MAX_LINES))('%s has at most %i lines', (path, most) => {
  expect(readDocumentationPage(path).text.trimEnd().split('\n').length).toBeLessThanOrEqual(most)
})

it('the picture of the rooms is the one that draw:rooms draws', () => {
  expect(readDocumentationPage('docs/design.md').text).toContain('](rooms.svg)')
  expect(readFileSync(join(ROOT, ROOMS_PICTURE), 'utf8')).toBe(drawRooms(WINGS))
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
