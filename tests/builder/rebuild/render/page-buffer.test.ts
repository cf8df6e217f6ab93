/** The memory that pages are encoded into. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createPageBuffer } from '../../../../src/builder/rebuild/render/page-buffer.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

it.each([
  ['of one byte a character', 'a'.repeat(300_000)],
  ['of two and three bytes', 'ñ’'.repeat(200_000)],
  ['with half a surrogate pair', 'a\ud800b'],
  ['without a character', ''],
])('encodes and writes a page %s after a longer one', (_, text) => {
  const buffer = createPageBuffer()
  buffer.encode(['x'.repeat(500_000)])
  const bytes = Buffer.from(`<p>${text}</p>`)
  expect(Buffer.from(buffer.encode(['<p>', text, '</p>'])).equals(bytes)).toBe(true)
  buffer.write(path('page'))
  expect(readFileSync(path('page')).equals(bytes)).toBe(true)
})

it('recognizes a file with the bytes of the page, and no other', () => {
  const buffer = createPageBuffer()
  buffer.encode(['a ', 'page'])
  writeFileSync(path('same'), 'a page')
  writeFileSync(path('other'), 'b page')
  writeFileSync(path('longer'), 'a page\n')
  symlinkSync(path('same'), path('link'))
  mkdirSync(path('folder'))
  const names = ['same', 'other', 'longer', 'link', 'folder', 'missing']
  expect(names.filter((name) => buffer.isFile(path(name)))).toEqual(['same'])
})
