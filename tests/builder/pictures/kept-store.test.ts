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
import { removeDamaged } from '../../../src/builder/commands/rebuild/state-files.ts'
import {
  formatFallbackPath,
  formatPhotoStem,
  formatPreviewPath,
  formatSocialPath,
} from '../../../src/builder/pictures/photos/picture-names.ts'
import { nameSizes } from '../../../src/builder/pictures/photos/encode-sizes.ts'
import { PICTURE_SCHEMA } from '../../../src/builder/pictures/store/picture-schema.ts'
import type { PictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { openPictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { edit } from '../sources/embedded-fixture.ts'

const path = useTemporaryFolder()
const PHOTOS = 40
const address = (n: number): string => `https://photos.example/${n}.jpg`
const addresses = Array.from({ length: PHOTOS }, (_, n) => address(n))

let file: string
let warnings: string[]
const warn = (message: string): void => void warnings.push(message)
beforeEach(() => {
  file = path('pictures.sqlite')
  warnings = []
  const store = open()
  store.beginShown()
  for (const n of addresses.keys()) store.addShown(`seller ${n % 7}`, addresses.slice(n % 7, n + 1))
  store.keepShown()
  for (const n of addresses.keys()) keep(store, n)
  const bytes = Buffer.from('social')
  store.keepSocial('seller 1', 'inputs', { path: formatSocialPath(bytes), bytes })
  store.close()
})

function open(): PictureStore {
  return openPictureStore(file, warn)
}

/** Files of one photo in these widths; those of `others` have no width. */
function createSizes(n: number, widths: readonly number[], ...others: readonly Uint8Array[]) {
  const sizes = widths.map((width) => ({ width, bytes: Buffer.alloc(3_000, `${n} ${width} `) }))
  const stem = formatPhotoStem([...sizes.map(({ bytes }) => bytes), ...others])
  const { sources, files } = nameSizes(stem, sizes)
  return {
    stem,
    sources,
    files: [...files, ...others.map((bytes) => ({ path: formatFallbackPath(stem), bytes }))],
  }
}

function keep(store: PictureStore, n: number): void {
  const small = createSizes(n, [344, 496], Buffer.alloc(3_000, `fallback ${n} `))
  const large = createSizes(n, [720, 1080])
  const preview = Buffer.alloc(3_000, `preview ${n} `)
  const [name, fallback] = [formatPreviewPath(preview), formatFallbackPath(small.stem)]
  store.keepPicture(address(n), {
    picture: { type: 'image/avif', sources: small.sources, tone: 1, fallback },
    files: [...small.files, ...large.files, { path: name, bytes: preview }],
    previewed: { preview: { path: name, width: 1080, height: 1440, sources: large.sources } },
    source: `source ${n}`,
    validators: { etag: `"${n}"`, modified: null },
    due: 1_000 + n,
  })
}

/** Number of photos whose picture is in the store with all its files. */
function countSound(store: PictureStore): number {
  const pictures = [...store.findPictures(addresses).values()]
  const lists = pictures.map(({ sources, fallback }) => [
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
    ['of a later version', () => edit(file, `PRAGMA user_version = ${PICTURE_SCHEMA.version + 1}`)],
    ['of an earlier version', () => edit(file, `PRAGMA user_version = ${PICTURE_SCHEMA.version - 1}`)],
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
