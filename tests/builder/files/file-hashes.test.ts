import { chmodSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import { hashBytes, hashNoted } from '../../../src/builder/files/file-hashes.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const FILES = ['a.txt', 'b.txt']

const hash = () => hashNoted(path(), FILES, path('note.json'))
const readNote = (): Record<string, readonly [string, string]> =>
  JSON.parse(readFileSync(path('note.json'), 'utf8'))

/** Waits until the file system gives new files a later time than these have. */
function passTime(): void {
  const newest = Math.max(...FILES.map((file) => statSync(path(file)).ctimeMs))
  do writeFileSync(path('clock'), '')
  while (statSync(path('clock')).mtimeMs <= newest)
}

beforeEach(() => {
  for (const file of FILES) writeFileSync(path(file), `of ${file}`)
  passTime()
})

it('the reader of hashes gives the hash of each file', () => {
  expect(hash()).toEqual({ 'a.txt': hashBytes('of a.txt'), 'b.txt': hashBytes('of b.txt') })
})

it('the reader of hashes gives the hash of a file with any name', () => {
  const names = ['__proto__', 'constructor', 'ñandú 1.txt']
  for (const name of names) writeFileSync(path(name), `of ${name}`)
  passTime()
  const read = () => Object.entries(hashNoted(path(), names, path('note.json')))
  const expected = names.map((name) => [name, hashBytes(`of ${name}`)])
  expect([read(), read()]).toEqual([expected, expected])
})

it('the reader of hashes does not read a noted file again', () => {
  hash()
  const { 'a.txt': first, ...others } = readNote()
  writeFileSync(path('note.json'), JSON.stringify({ ...others, 'a.txt': [first?.[0], 'as noted'] }))
  expect(hash()).toMatchObject({ 'a.txt': 'as noted', 'b.txt': hashBytes('of b.txt') })
})

it.each<[string, () => void]>([
  ['has another size', () => writeFileSync(path('a.txt'), 'longer than before')],
  ['has the same size', () => writeFileSync(path('a.txt'), 'if a.txt')],
  [
    'has the same size and time',
    () => {
      const { atime, mtime } = statSync(path('a.txt'))
      writeFileSync(path('a.txt'), 'if a.txt')
      utimesSync(path('a.txt'), atime, mtime)
    },
  ],
  [
    'took the place of another one',
    () => {
      writeFileSync(path('c.txt'), 'if a.txt')
      renameSync(path('c.txt'), path('a.txt'))
    },
  ],
])('the reader of hashes reads a changed file that %s', (_, change) => {
  hash()
  change()
  expect(hash()).toEqual({ 'a.txt': hashBytes(readFileSync(path('a.txt'))), 'b.txt': hashBytes('of b.txt') })
  expect(readFileSync(path('a.txt'), 'utf8')).not.toBe('of a.txt')
})

it('the reader of hashes reads a file again that was as new as the note', () => {
  const future = new Date(Date.now() + 3_600_000)
  utimesSync(path('a.txt'), future, future)
  hash()
  expect(Object.values(readNote()).map(([stamp]) => stamp !== '')).toEqual([false, true])
})

it('the reader of hashes reads every file where no note can be written, or where it is damaged', () => {
  writeFileSync(path('note.json'), '{"a.txt":["')
  expect(hash()).toEqual({ 'a.txt': hashBytes('of a.txt'), 'b.txt': hashBytes('of b.txt') })
  writeFileSync(path('file'), '')
  chmodSync(path('file'), 0o400)
  expect(hashNoted(path(), FILES, path('file/note.json'))).toEqual(hash())
})

it('the reader of hashes fails for a file that is not there', () => {
  expect(() => hashNoted(path(), ['none'], path('note.json'))).toThrow('ENOENT')
})
