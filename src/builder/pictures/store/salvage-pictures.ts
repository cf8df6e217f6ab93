/** Copies the sound pictures of a damaged store. A picture is sound if its name is still the hash of its content. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { PreviewPicture } from '../../../domain/pages/sharing.ts'
import type { Picture } from '../../../domain/photos/picture.ts'
import {
  formatFallbackPath,
  formatPhotoPath,
  formatPhotoStem,
  formatPreviewPath,
  formatSocialPath,
} from '../photos/picture-names.ts'
import { isDamage, readResultCode } from '../../result-codes.ts'

type Row = Record<string, SQLOutputValue>

/**
 * Queries for the same keys in different orders, because a scan ends at a damaged database page, and a scan in another
 * order may reach the keys behind that page.
 */
const KEYS = {
  addresses: [
    'SELECT address AS key FROM photos ORDER BY address',
    'SELECT address AS key FROM photos ORDER BY address DESC',
    'SELECT address AS key FROM photos INDEXED BY photos_due WHERE due >= 0 ORDER BY due',
    'SELECT address AS key FROM photos INDEXED BY photos_due WHERE due >= 0 ORDER BY due DESC',
    'SELECT address AS key FROM uses',
    'SELECT address AS key FROM uses ORDER BY seller DESC',
  ],
  sellers: [
    'SELECT seller AS key FROM socials ORDER BY seller',
    'SELECT seller AS key FROM socials ORDER BY seller DESC',
    'SELECT DISTINCT seller AS key FROM uses ORDER BY seller',
    'SELECT DISTINCT seller AS key FROM uses ORDER BY seller DESC',
  ],
}
const USES = [
  'SELECT seller, address FROM uses ORDER BY seller, address',
  'SELECT seller, address FROM uses ORDER BY seller DESC, address DESC',
  'SELECT seller, address FROM uses INDEXED BY uses_address ORDER BY address',
  'SELECT seller, address FROM uses INDEXED BY uses_address ORDER BY address DESC',
]
const FIRST_COLUMNS = [
  'address',
  'due',
  'tries',
  'reason',
  'slow',
  'picture',
  'source',
  'recipe',
  'etag',
  'modified',
] as const
const COLUMNS = [...FIRST_COLUMNS, 'preview', 'preview_recipe'] as const

/**
 * Copies sound pictures, the readable rows of photos, and the sellers who show photos, to `target`. Returns which
 * pictures were copied, for a message.
 */
export function salvagePictures(damaged: DatabaseSync, target: DatabaseSync): string {
  const readFile = createFileReader(damaged)
  const keepFile = target.prepare('INSERT OR IGNORE INTO files VALUES (?, ?)')
  const keep = (files: readonly (readonly [string, Uint8Array])[]): void => {
    for (const [path, bytes] of files) keepFile.run(path, bytes)
  }
  const counts = { kept: 0, lost: 0 }
  const count = (isKept: boolean): void => void (counts[isKept ? 'kept' : 'lost'] += 1)
  const keepPhoto = target.prepare(
    `INSERT OR IGNORE INTO photos (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  )
  for (const address of readKeys(damaged, KEYS.addresses)) {
    const row = readPhoto(damaged, address)
    if (row === null) continue
    const files =
      row['picture'] === null ? null : findPhotoFiles(parseText<Picture>(row['picture'] ?? null), readFile)
    if (row['picture'] !== null) count(files !== null)
    keep(files ?? [])
    const preview = files === null ? null : findPreviewFiles(row['preview'] ?? null, readFile)
    keep(preview ?? [])
    // `row['preview']` is `null` if the photo is unfit for a preview or none was tried. It is `undefined` if the column
    // could not be read, for example because a store of the previous version lacks it.
    const isUnfit = files !== null && row['preview'] === null
    const sound = {
      ...row,
      ...(files === null && { picture: null, source: '', recipe: '', due: 0, tries: 0 }),
      // Without a recipe, the preview counts as outdated, so the queue makes it again.
      ...(preview === null && !isUnfit && { preview: null, preview_recipe: '' }),
    }
    tryRow(() => keepPhoto.run(...COLUMNS.map((name): SQLInputValue => (sound as Row)[name] ?? null)))
  }
  const keepSocial = target.prepare('INSERT OR IGNORE INTO socials VALUES (?, ?, ?)')
  for (const seller of readKeys(damaged, KEYS.sellers)) {
    const row = readRow(damaged, 'SELECT path, inputs FROM socials WHERE seller = ?', seller)
    if (row === null) continue
    const [path, inputs] = [String(row['path']), String(row['inputs'])]
    const bytes = readFile(path)
    const isSound = bytes !== null && formatSocialPath(bytes) === path
    count(isSound)
    if (!isSound) continue
    keep([[path, bytes]])
    keepSocial.run(seller, path, inputs)
  }
  const keepUse = target.prepare('INSERT OR IGNORE INTO uses VALUES (?, ?)')
  for (const sql of USES)
    readRows(damaged, sql, ({ seller, address }) => {
      if (typeof seller === 'string' && typeof address === 'string') keepUse.run(seller, address)
    })
  return `${counts.kept} of the ${counts.kept + counts.lost} pictures that could be found in the damaged file`
}

// If the columns of previews cannot be read, reads only the columns of the previous version, because a damaged store is
// not migrated and may lack the new columns.
function readPhoto(damaged: DatabaseSync, address: string): Row | null {
  const read = (columns: readonly string[]): Row | null =>
    readRow(damaged, `SELECT ${columns.join(', ')} FROM photos WHERE address = ?`, address)
  return read(COLUMNS) ?? read(FIRST_COLUMNS)
}

type NamedFile = readonly [path: string, bytes: Uint8Array]

// Returns `null` if there is no preview, or if one of its files is lost or damaged.
function findPreviewFiles(
  preview: SQLOutputValue,
  readFile: (path: string) => Uint8Array | null,
): readonly NamedFile[] | null {
  const { path = '', sources = [] } = parseText<PreviewPicture>(preview)
  const bytes = readFile(path)
  if (bytes === null || formatPreviewPath(bytes) !== path) return null
  const large = sources.length === 0 ? [] : findPhotoFiles({ sources }, readFile)
  return large === null ? null : [...large, [path, bytes]]
}

// Returns `null` if the picture has no files, or if one of them is lost or damaged.
function findPhotoFiles(
  { sources = [], fallback }: Partial<Picture>,
  readFile: (path: string) => Uint8Array | null,
): readonly NamedFile[] | null {
  const paths = [...sources.map(({ path }) => path), ...(fallback === undefined ? [] : [fallback])]
  const files = paths.flatMap((path) => {
    const bytes = readFile(path)
    return bytes === null ? [] : [[path, bytes] as const]
  })
  if (files.length === 0 || files.length < paths.length) return null
  const stem = formatPhotoStem(files.map(([, bytes]) => bytes))
  const isNamed =
    sources.every(({ path, width }) => path === formatPhotoPath(stem, width)) &&
    (fallback === undefined || fallback === formatFallbackPath(stem))
  return isNamed ? files : null
}

// Returns an empty object for `null` and for a text that is not JSON.
function parseText<T extends object>(text: SQLOutputValue): Partial<T> {
  try {
    return (JSON.parse(String(text)) ?? {}) as Partial<T>
  } catch {
    return {}
  }
}

// Reads files by `rowid`, because the index of the paths may be damaged.
function createFileReader(damaged: DatabaseSync): (path: string) => Uint8Array | null {
  const numbers = new Map<string, number>()
  const learn = ({ path, rowid }: Row): void => void numbers.set(String(path), Number(rowid))
  const FILES = 'SELECT rowid, path FROM files NOT INDEXED'
  const last = { up: 0, down: 0 }
  readRows(damaged, `${FILES} ORDER BY rowid`, (row) => {
    learn(row)
    last.up = Number(row['rowid'])
  })
  readRows(damaged, `${FILES} ORDER BY rowid DESC`, (row) => {
    learn(row)
    last.down = Number(row['rowid'])
  })
  for (let number = last.up + 1; number < last.down; number += 1) {
    const row = readRow(damaged, `${FILES} WHERE rowid = ?`, number)
    if (row !== null) learn(row)
  }
  return (path) => {
    const number = numbers.get(path)
    if (number === undefined) return null
    const bytes = readRow(damaged, 'SELECT bytes FROM files WHERE rowid = ?', number)?.['bytes']
    return bytes instanceof Uint8Array ? bytes : null
  }
}

function readKeys(database: DatabaseSync, queries: readonly string[]): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const sql of queries) {
    readRows(database, sql, ({ key }) => {
      if (typeof key === 'string') keys.add(key)
    })
  }
  return keys
}

function readRow(database: DatabaseSync, sql: string, key: SQLInputValue): Row | null {
  return tryRow(() => database.prepare(sql).get(key)) ?? null
}

// Calls `use` for each row up to the first one that cannot be read.
function readRows(database: DatabaseSync, sql: string, use: (row: Row) => void): void {
  tryRow(() => {
    for (const row of database.prepare(sql).iterate()) use(row)
  })
}

// Returns `null` if the row, its database page or its table is damaged, or if a column is missing. A broken constraint
// counts as damage, because only damaged values break the constraints of `target`.
function tryRow<T>(read: () => T): T | null {
  const SQLITE_ERROR = 1
  const SQLITE_CONSTRAINT = 19
  const SQLITE_MISMATCH = 20
  try {
    return read()
  } catch (error) {
    const losses = [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH]
    if (isDamage(error) || losses.includes(readResultCode(error))) return null
    throw error
  }
}
