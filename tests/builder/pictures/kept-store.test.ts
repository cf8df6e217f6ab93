/** Pictures cannot be made anew once their photos are gone: their store is never thrown away. */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { removeDamaged } from '../../../src/builder/commands/rebuild/open-world.ts'
import type { PictureStore } from '../../../src/builder/pictures/picture-store.ts'
import { openPictureStore } from '../../../src/builder/pictures/picture-store.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { edit } from '../sources/reading.ts'

const path = useTemporaryFolder()
const PHOTOS = 40
const address = (n: number): string => `https://photos.example/${n}.jpg`
const addresses = Array.from({ length: PHOTOS }, (_, n) => address(n))
const permitted = addresses.map((one) => [one, ''] as const)

let file: string
let warnings: string[]
const warn = (message: string): void => void warnings.push(message)
beforeEach(() => {
  file = path('pictures.sqlite')
  warnings = []
  const store = open()
  for (const n of addresses.keys()) store.showPhotos(`seller ${n % 7}`, addresses, permitted)
  for (const n of addresses.keys()) keep(store, n)
  store.close()
})

function open(): PictureStore {
  return openPictureStore(file, warn)
}

function keep(store: PictureStore, n: number): void {
  const name = `fotos/${n}.avif`
  const picture = { type: 'image/avif', sources: [{ path: name, width: 344 }], tone: 1 }
  const files = [{ path: name, bytes: Buffer.alloc(9_000, `${n} `) }]
  const made = { picture, preview: null, files, stem: `fotos/${n}` }
  store.keepPicture(address(n), { ...made, source: `${n}`, recipe: '', etag: null })
}

/** Number of photos whose picture is in the store with all its files. */
function countSound(store: PictureStore): number {
  const pictures = [...store.findPictures(addresses).values()]
  const lists = pictures.map(({ picture: { sources, fallback } }) => [
    ...sources.map((source) => source.path),
    ...(fallback === undefined ? [] : [fallback]),
  ])
  return lists.filter((paths) => paths.every((one) => store.readFile(one) !== null)).length
}

/** Overwrites a part of the file, after everything in the log has been moved into it. */
function damage(start: number, length: number): void {
  edit(file, 'PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE')
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, start)
  closeSync(handle)
}

const findAside = (): readonly string[] => readdirSync(path('.')).filter((name) => name.includes('kept'))

describe('a store that is damaged or of another version', () => {
  it.each<[string, () => void]>([
    ['garbage', () => writeFileSync(file, 'no database')],
    ['a foreign database', () => edit(file, 'DROP TABLE photos; PRAGMA application_id = 77')],
    ['without an index', () => edit(file, 'DROP INDEX uses_address')],
    ['of a later version', () => edit(file, `PRAGMA user_version = 99`)],
    ['of an earlier version', () => edit(file, `PRAGMA user_version = 5`)],
  ])('is renamed, which is said once, and begun anew: %s', (_, change) => {
    change()
    if (existsSync(`${file}-wal`)) edit(file, 'PRAGMA wal_checkpoint(TRUNCATE)')
    const before = readFileSync(file)
    const store = open()
    expect(countSound(store)).toBe(0)
    store.close()
    expect(readFileSync(path('pictures.kept-1.sqlite'))).toEqual(before)
    expect(warnings).toEqual([expect.stringContaining(path('pictures.kept-1.sqlite'))])
    open().close()
    expect(warnings).toHaveLength(1)
  })

  it('never replaces one that was renamed before', () => {
    for (const text of ['one', 'two']) {
      writeFileSync(file, text)
      open().close()
    }
    expect(readFileSync(path('pictures.kept-1.sqlite'), 'utf8')).toBe('one')
    expect(readFileSync(path('pictures.kept-2.sqlite'), 'utf8')).toBe('two')
  })

  it('is found by a check of the whole file', () => {
    damage(30 * 4096, 4096)
    removeDamaged(path('.'), warn)
    expect(findAside()).toEqual(['pictures.kept-1.sqlite'])
  })

  it('is no store whose process ended before it created the tables', () => {
    rmSync(file)
    writeFileSync(file, '')
    open().close()
    expect([findAside(), warnings]).toEqual([[], []])
  })
})

it('a sound store stays as it is when a damaged state is removed', () => {
  writeFileSync(path('state.sqlite'), 'damaged')
  removeDamaged(path('.'), warn)
  expect(existsSync(path('state.sqlite'))).toBe(false)
  const store = open()
  expect(countSound(store)).toBe(PHOTOS)
  store.close()
  expect(warnings).toEqual([])
})
