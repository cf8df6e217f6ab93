/** Reads and writes the record's rows, one per file. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { runTransaction } from '../sqlite/transactions.ts'
import { listTexts, readNumber, toText } from '../sqlite/values.ts'
import type { DigestPart } from './record-digest.ts'
import { updateDigest } from './record-digest.ts'
import type { RecordedPage, FileKind, FileRow, RecordFiles, ShownPictures, Generation } from './record.ts'
import { readDigest, writeDigest } from './record-meta.ts'
import { addShows, createReplaceShows, createShows } from './shown-pictures.ts'

const COLUMNS = 'path, kind, seller, generation, data, digest'
const PUT = `INSERT OR REPLACE INTO files (${COLUMNS}, unsure) VALUES (?, ?, ?, ?, ?, ?, 0)`
// Updates a row whose kind, seller and generation stay the same, such as one that `MARK` has just written. This changes
// only the index of unsure files, while `PUT` changes every index of the row.
const CONFIRM = `
UPDATE files SET data = ?, digest = ?, unsure = 0 WHERE path = ? AND kind = ? AND seller IS ? AND generation = ?`
// A new row has no digest: the bytes at its path are unknown.
const MARK = `
INSERT INTO files (${COLUMNS}, unsure) VALUES (?, ?, ?, ?, ?, '', 1) ON CONFLICT DO UPDATE SET unsure = 1`
const FIND_DIGEST =
  "SELECT digest FROM files WHERE path = ? AND unsure = 0 AND kind NOT IN ('retained', 'unshown')"
const FIND_PAGE = "SELECT data, digest, unsure, generation FROM files WHERE path = ? AND kind = 'page'"
const FIND_COUNTED = `
SELECT path, digest FROM files
WHERE path IN (SELECT value FROM json_each(?)) AND digest <> '' AND kind NOT IN ('retained', 'unshown')`
// Names the index, so that SQLite fails rather than scans every row if the index is missing. SQLite uses the partial
// index `files_other` only if the query repeats its condition, `kind <> 'page'`.
const OTHERS = (kind: FileKind): string =>
  `SELECT ${COLUMNS} FROM files INDEXED BY files_other WHERE kind <> 'page' AND kind = '${kind}' ORDER BY path`
const OLDEST = "SELECT min(generation) AS oldest FROM files WHERE kind = 'page' AND digest <> ''"
// Includes every generation since the oldest one recorded for an unsure page, because an interrupted run may have
// written that page with any of these generations.
const EARLIER = `
SELECT generation AS id FROM files INDEXED BY files_generation WHERE generation < :generation AND kind = 'page'
UNION SELECT id FROM generations WHERE id < :generation
  AND id >= (SELECT min(generation) FROM files INDEXED BY files_unsure WHERE unsure = 1 AND kind = 'page')
ORDER BY 1 DESC`
const STALE_OTHERS = `
SELECT path FROM files INDEXED BY files_generation WHERE generation < ? AND seller IS NULL AND kind = 'page'
UNION SELECT path FROM files INDEXED BY files_unsure WHERE unsure = 1 AND seller IS NULL AND kind = 'page' ORDER BY 1`

const STALE = `
SELECT seller FROM files INDEXED BY files_generation WHERE generation < ? AND seller IS NOT NULL AND kind = 'page'
UNION SELECT seller FROM files INDEXED BY files_unsure WHERE unsure = 1 AND seller IS NOT NULL ORDER BY 1`
const SELLERS = `
SELECT DISTINCT seller FROM files INDEXED BY files_seller WHERE seller IS NOT NULL ORDER BY seller`
const PAGES = 'SELECT path FROM files INDEXED BY files_seller WHERE seller = ? ORDER BY path'

type Row = Record<string, unknown>

const NONE: ShownPictures = new Map()

export function createRecordFiles(database: DatabaseSync): RecordFiles {
  const findPage = database.prepare(FIND_PAGE)
  const findGeneration = createFindGeneration(database)
  const findDigest = database.prepare(FIND_DIGEST)
  const findFile = database.prepare(`SELECT ${COLUMNS} FROM files WHERE path = ?`)
  const mark = database.prepare(MARK)
  const readOthers = {
    static: database.prepare(OTHERS('static')),
    retained: database.prepare(OTHERS('retained')),
    unshown: database.prepare(OTHERS('unshown')),
  }
  const readAll = (order: string): StatementSync => database.prepare(`SELECT ${COLUMNS} FROM files ${order}`)
  const writeRows = createWriteRows(database)
  return {
    findPage: (path) => toPage(findPage.get(path), findGeneration),
    findDigest: (path) => toText(findDigest.get(path)?.['digest']),
    hasFile: (path) => findFile.get(path) !== undefined,
    findFile: (path) => toFile(findFile.get(path)),
    ...createSellerReads(database),
    readStaleOthers: (generation) => listTexts(database.prepare(STALE_OTHERS), generation),
    *readFiles() {
      for (const row of readAll('ORDER BY path').iterate()) yield parseFile(row)
    },
    readOthers: (kind) => readOthers[kind].all().map(parseFile),
    readOldestGeneration: () => toNumber(database.prepare(OLDEST).get()?.['oldest']),
    readEarlierGenerations: (generation) =>
      database
        .prepare(EARLIER)
        .all({ generation })
        .map((row) => Number(row['id'])),
    countUnsure: () => readNumber(database.prepare('SELECT count(*) FROM files WHERE unsure = 1')),
    markUnsure: (rows, shows = NONE) =>
      runTransaction(database, () => {
        addShows(database, shows)
        for (const { path, kind, seller, generation, data } of rows)
          mark.run(path, kind, seller, generation, data)
      }),
    markUnsurePaths: (paths) =>
      runTransaction(database, () => {
        const forget = database.prepare(
          "DELETE FROM files WHERE path = ? AND kind IN ('retained', 'unshown')",
        )
        const doubt = database.prepare('UPDATE files SET unsure = 1 WHERE path = ?')
        for (const path of paths) if (forget.run(path).changes === 0) doubt.run(path)
      }),
    moveToGeneration: (paths, generation) =>
      runTransaction(database, () => {
        const move = database.prepare('UPDATE files SET generation = ? WHERE path = ? AND generation < ?')
        for (const path of paths) move.run(generation, path, generation)
      }),
    ...createShows(database),
    write: (rows, removed, shows = NONE) =>
      runTransaction(database, () => writeRows({ rows, removed, shows })),
  }
}

interface Writing {
  readonly rows: readonly FileRow[]
  readonly removed: readonly string[]
  readonly shows: ShownPictures
}

function createWriteRows(database: DatabaseSync): (writing: Writing) => void {
  const findCounted = database.prepare(FIND_COUNTED)
  const put = database.prepare(PUT)
  const confirm = database.prepare(CONFIRM)
  const writeRow = ({ path, kind, seller, generation, data, digest }: FileRow): void => {
    if (confirm.run(data, digest, path, kind, seller, generation).changes === 0)
      put.run(path, kind, seller, generation, data, digest)
  }
  const remove = database.prepare('DELETE FROM files WHERE path = ?')
  const replaceShows = createReplaceShows(database)
  return ({ rows, removed, shows }) => {
    const paths = [...rows.map((row) => row.path), ...removed]
    const replaced = findCounted.all(JSON.stringify(paths)).map(parsePart)
    for (const row of rows) writeRow(row)
    for (const path of removed) remove.run(path)
    const pages = rows.filter(({ kind }) => kind === 'page').map(({ path }) => path)
    const unshown = replaceShows([...pages, ...removed], shows)
      .map(parseFile)
      .filter(isCounted)
    const digest = updateDigest(readDigest(database), rows.filter(isCounted), [...replaced, ...unshown])
    writeDigest(database, digest)
  }
}

function isCounted({ kind, digest }: FileRow): boolean {
  return kind !== 'retained' && kind !== 'unshown' && digest !== ''
}

type SellerReads = Pick<RecordFiles, 'readStaleSellers' | 'readSellers' | 'readPages'>

function createSellerReads(database: DatabaseSync): SellerReads {
  const pages = database.prepare(PAGES)
  return {
    readStaleSellers: (generation) => listTexts(database.prepare(STALE), generation),
    readSellers: () => listTexts(database.prepare(SELLERS)),
    readPages: (seller) => listTexts(pages, seller),
  }
}

function toNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function toPage(
  row: Row | undefined,
  findGeneration: (id: number) => Generation | null,
): RecordedPage | null {
  const generation = row === undefined ? null : findGeneration(Number(row['generation']))
  if (row === undefined || generation === null) return null
  const isUnsure = row['unsure'] === 1
  return { generation, data: String(row['data']), digest: isUnsure ? null : String(row['digest']), isUnsure }
}

/** Reads each generation once and keeps it, because rows of generations never change. */
function createFindGeneration(database: DatabaseSync): (id: number) => Generation | null {
  const found = new Map<number, Generation>()
  const find = database.prepare('SELECT code, settings, runtime FROM generations WHERE id = ?')
  return (id) => {
    const row = found.has(id) ? undefined : find.get(id)
    if (row !== undefined) {
      const code = JSON.parse(String(row['code'])) as Generation['code']
      found.set(id, { code, settings: String(row['settings']), runtime: String(row['runtime']) })
    }
    return found.get(id) ?? null
  }
}

function toFile(row: Row | undefined): FileRow | null {
  return row === undefined ? null : parseFile(row)
}

function parsePart(row: Row): DigestPart {
  return { path: String(row['path']), digest: String(row['digest']) }
}

function parseFile(row: Row): FileRow {
  return {
    path: String(row['path']),
    kind: String(row['kind']) as FileKind,
    seller: row['seller'] === null ? null : String(row['seller']),
    generation: Number(row['generation']),
    data: String(row['data']),
    digest: String(row['digest']),
  }
}
