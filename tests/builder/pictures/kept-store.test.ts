/** Pictures cannot be made anew once their photos are gone: their store is migrated and salvaged, never thrown away. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { removeState } from '../../../src/builder/commands/rebuild/state-files.ts'
import {
  formatFallbackPath,
  formatPhotoStem,
  formatPreviewPath,
  formatSocialPath,
} from '../../../src/builder/pictures/photos/picture-names.ts'
import { nameSizes } from '../../../src/builder/pictures/photos/encode-sizes.ts'
import { PICTURE_SCHEMA } from '../../../src/builder/pictures/store/picture-schema.ts'
import type { PictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { openPictureStore, rescuePictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { openKeptDatabase } from '../../../src/builder/state/sqlite/open-kept-database.ts'
import { UsageError } from '../../../src/builder/state/usage-error.ts'
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

/** Keeps the picture as an earlier version made it: without a JPEG and a preview. */
function keepEarlier(store: PictureStore, n: number): void {
  const { sources, files } = createSizes(n, [344, 496])
  store.keepPicture(address(n), {
    picture: { type: 'image/avif', sources, tone: 1 },
    files,
    previewed: null,
    source: `source ${n}`,
    validators: { etag: null, modified: null },
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

function countPreviews(store: PictureStore): number {
  const previews = addresses.flatMap((one) => store.findPreview(one) ?? [])
  const isSound = (one: { readonly path: string }): boolean => store.readFile(one.path)?.length === 3_000
  return previews.filter((one) => [one, ...(one.sources ?? [])].every(isSound)).length
}

/** Makes the file one of the version without previews. */
function takeBack(): void {
  const store = open()
  for (const n of addresses.keys()) keepEarlier(store, n)
  store.beginShown()
  store.sweep(() => true)
  store.close()
  edit(file, "UPDATE photos SET recipe = 'of an earlier version'")
  edit(file, 'ALTER TABLE photos DROP COLUMN preview; ALTER TABLE photos DROP COLUMN preview_recipe')
  edit(file, 'PRAGMA user_version = 4')
}

/** Overwrites a part of the file, after everything in the log has been moved into it. */
function damage(start: number, length: number): void {
  edit(file, 'PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE')
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, start)
  closeSync(handle)
}

const findAside = (): readonly string[] => readdirSync(path('.')).filter((name) => name.includes('damaged'))

describe('the store of another version', () => {
  it('keeps its pictures if it is the first one, which has no application id', () => {
    edit(file, 'PRAGMA application_id = 0')
    const store = open()
    expect(countSound(store)).toBe(PHOTOS)
    store.close()
    expect(warnings).toEqual([])
  })

  it('keeps its pictures if they have no JPEG and no preview, and asks for these', () => {
    takeBack()
    const store = open()
    expect([countSound(store), countPreviews(store)]).toEqual([PHOTOS, 0])
    const countDue = () => [true, false].map((previews) => store.readDue(0, previews).length)
    expect(countDue()).toEqual([PHOTOS, PHOTOS])
    for (const n of addresses.keys()) keep(store, n)
    expect(countPreviews(store)).toBe(PHOTOS)
    expect(countDue()).toEqual([0, 0])
    store.close()
    expect(warnings).toEqual([])
  })

  it('stays as it is beside the migrated one', () => {
    takeBack()
    open().close()
    const kept = new DatabaseSync(path(`pictures.version-${PICTURE_SCHEMA.version - 1}.sqlite`), {
      readOnly: true,
    })
    expect(kept.prepare('SELECT count(*) AS n FROM photos').get()).toEqual({ n: PHOTOS })
    expect(kept.prepare('SELECT count(*) AS n FROM files').get()).not.toEqual({ n: 0 })
    expect(kept.prepare('PRAGMA user_version').get()).toEqual({ user_version: PICTURE_SCHEMA.version - 1 })
    kept.close()
  })

  it('keeps its pictures if it has no previews and is damaged', () => {
    takeBack()
    edit(file, 'DROP INDEX uses_address')
    const store = open()
    expect([countSound(store), countPreviews(store)]).toEqual([PHOTOS, 0])
    expect(store.readDue(0, true)).toHaveLength(PHOTOS)
    store.close()
    expect(findAside()).toHaveLength(1)
  })

  it('is migrated step by step', () => {
    const { version } = PICTURE_SCHEMA
    const schema = {
      ...PICTURE_SCHEMA,
      version: version + 2,
      sql: `${PICTURE_SCHEMA.sql} CREATE TABLE later (a TEXT);`,
      migrations: {
        ...PICTURE_SCHEMA.migrations,
        [version]: 'CREATE TABLE later (a TEXT); ',
        [version + 1]: "INSERT INTO later VALUES ('migrated');",
      },
    }
    openKeptDatabase(file, schema, warn).close()
    const database = openKeptDatabase(file, schema, warn)
    expect(database.prepare('SELECT a FROM later').all()).toEqual([{ a: 'migrated' }])
    expect(database.prepare('SELECT count(*) AS n FROM photos').get()).toEqual({ n: PHOTOS })
    database.close()
    expect(warnings).toEqual([])
  })

  it.each([PICTURE_SCHEMA.version + 1, 1])(
    'is refused and left as it is if no step leads from version %i',
    (version) => {
      edit(file, `PRAGMA user_version = ${version}; PRAGMA wal_checkpoint(TRUNCATE)`)
      const before = readFileSync(file)
      expect(open).toThrow(UsageError)
      expect(open).toThrow(`has version ${version}`)
      expect(readFileSync(file)).toEqual(before)
      edit(file, `PRAGMA user_version = ${PICTURE_SCHEMA.version}`)
      const store = open()
      expect(countSound(store)).toBe(PHOTOS)
      store.close()
    },
  )
})

describe('a damaged store', () => {
  it.each(['garbage', 'a foreign database'])('is set aside when it is %s, and that is said', (kind) => {
    if (kind === 'garbage') writeFileSync(file, 'no database')
    else edit(file, 'DROP TABLE photos; PRAGMA application_id = 77')
    const store = open()
    expect(countSound(store)).toBe(0)
    store.close()
    expect(findAside()).toEqual(['pictures.damaged-1.sqlite'])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(path('pictures.damaged-1.sqlite'))
    open().close()
    expect(warnings).toHaveLength(1)
  })

  it('never replaces one that was set aside before', () => {
    for (const text of ['one', 'two']) {
      writeFileSync(file, text)
      open().close()
    }
    expect(readFileSync(path('pictures.damaged-1.sqlite'), 'utf8')).toBe('one')
    expect(readFileSync(path('pictures.damaged-2.sqlite'), 'utf8')).toBe('two')
  })

  it.each(['DROP INDEX uses_address', 'DROP TABLE news', 'DROP TABLE uses', 'DROP INDEX photos_due'])(
    'keeps every picture after %s',
    (sql) => {
      edit(file, sql)
      const store = open()
      expect([countSound(store), countPreviews(store)]).toEqual([PHOTOS, PHOTOS])
      expect(store.findSocial('seller 1')).not.toBeNull()
      store.close()
      expect(findAside()).toHaveLength(1)
    },
  )

  it('keeps that a photo is unfit for a preview', () => {
    const store = open()
    const { sources, files } = createSizes(0, [344, 496])
    store.keepPicture(address(0), {
      picture: { type: 'image/avif', sources, tone: 1 },
      files,
      previewed: { preview: null },
      source: 'source 0',
      validators: { etag: null, modified: null },
      due: 1_000,
    })
    store.close()
    edit(file, 'DROP INDEX uses_address')
    const salvaged = open()
    expect([countSound(salvaged), countPreviews(salvaged)]).toEqual([PHOTOS, PHOTOS - 1])
    expect(salvaged.readDue(0, true)).toEqual([])
    salvaged.close()
    expect(findAside()).toHaveLength(1)
  })

  it('keeps what is sound, and only that, wherever it is damaged', () => {
    const whole = path('whole.sqlite')
    edit(file, 'PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE')
    copyFileSync(file, whole)
    const pages = readFileSync(whole).length / 4096
    let kept = 0
    for (let page = 1; page < pages; page += 8) {
      copyFileSync(whole, file)
      damage(page * 4096, 4096)
      rescuePictureStore(file, warn)
      const store = open()
      const found = [...store.findPictures(addresses)].flatMap(([, { sources }]) => sources)
      for (const source of found) expect(store.readFile(source.path)?.length, `page ${page}`).toBe(3_000)
      const previews = addresses.flatMap((one) => store.findPreview(one) ?? [])
      for (const one of previews.flatMap((preview) => [preview, ...(preview.sources ?? [])]))
        expect(store.readFile(one.path)?.length, `page ${page}`).toBe(3_000)
      kept += countSound(store)
      store.close()
    }
    // A page holds few of the pictures, so nearly all are kept on average.
    expect((kept * 8) / (pages - 1) / PHOTOS).toBeGreaterThan(0.9)
  })

  it('leaves no log behind for the new file if the process ended while the old one was renamed', () => {
    const writer = open()
    writer.addChange('in the log')
    // As a killed process leaves them.
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, `${path('killed')}${suffix}`)
    writer.close()
    copyFileSync(file, `${file}.salvaged`)
    rmSync(file)
    renameSync(path('killed'), path('pictures.damaged-1.sqlite'))
    copyFileSync(path('killed-wal'), `${file}-wal`)
    const salvaged = new DatabaseSync(`${file}.salvaged`)
    salvaged.exec("DELETE FROM photos; DELETE FROM news; UPDATE socials SET inputs = 'salvaged'")
    salvaged.close()
    const store = open()
    expect(store.findSocial('seller 1')?.inputs).toBe('salvaged')
    expect(store.readChanges({ ...store.readVersion(), sequence: 0 })).not.toContain('in the log')
    store.close()
    expect(findAside()).toContain('pictures.damaged-1.sqlite-wal')
  })

  it('is salvaged again if the process ended meanwhile', () => {
    writeFileSync(`${file}.salvaged`, 'half')
    writeFileSync(file, 'no database')
    open().close()
    expect(existsSync(`${file}.salvaged`)).toBe(false)
    expect(findAside()).toHaveLength(1)
  })
})

describe('the store beside other files', () => {
  it.each([PICTURE_SCHEMA.version + 1, PICTURE_SCHEMA.version - 1])(
    'is not taken for damaged when it has version %i and another file is damaged',
    (version) => {
      if (version < PICTURE_SCHEMA.version) takeBack()
      edit(file, `PRAGMA user_version = ${version}`)
      writeFileSync(path('snapshot.sqlite'), 'damaged')
      removeState(path('.'), warn)
      expect([findAside(), warnings]).toEqual([[], []])
    },
  )

  it('stays as it is when a damaged snapshot or record is removed', () => {
    for (const name of ['snapshot.sqlite', 'record.sqlite']) writeFileSync(path(name), 'damaged')
    removeState(path('.'), warn)
    expect(readdirSync(path('.')).filter((name) => /snapshot|record/.test(name))).toEqual([])
    const store = open()
    expect(countSound(store)).toBe(PHOTOS)
    store.close()
    expect(warnings).toEqual([])
  })
})
