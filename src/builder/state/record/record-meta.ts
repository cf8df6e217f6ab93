/** Reads and writes the record's values that concern no single file. */
import type { DatabaseSync } from 'node:sqlite'
import { findScope, listPageKinds } from '../../../domain/documents/page-table.ts'
import type {
  CompiledCode,
  DataBasis,
  Durability,
  Generation,
  InlineCode,
  RecordDurability,
  RecordMeta,
} from './record.ts'
import type { Totals } from '../snapshot/snapshot.ts'
import { runTransaction } from '../sqlite/transactions.ts'
import { listTexts, readJson, runEach, writeJson } from '../sqlite/values.ts'
import { EMPTY_DIGEST } from './record-digest.ts'
import { formatCanonicalJson } from '../../../domain/documents/json.ts'

type Name =
  | 'digest'
  | 'markers'
  | 'links'
  | 'totals'
  | 'published'
  | 'publishes'
  | 'compiled'
  | 'inline'
  | 'basis'
  | 'durability'

// Both accept only the names above.
const readValue: <T>(database: DatabaseSync, name: Name) => T | null = readJson
const writeValue: (database: DatabaseSync, name: Name, value: unknown) => void = writeJson

export function createRecordMeta(database: DatabaseSync): RecordMeta {
  return {
    openGeneration: (generation) => openGeneration(database, generation),
    readCompiled: () => readValue<CompiledCode>(database, 'compiled'),
    writeCompiled: (compiled) => writeValue(database, 'compiled', compiled),
    readInlineCode: () => readValue<readonly InlineCode[]>(database, 'inline') ?? [],
    writeInlineCode: (code) => writeValue(database, 'inline', code),
    readDataBasis: () => readValue<DataBasis>(database, 'basis'),
    writeDataBasis: (basis) => writeValue(database, 'basis', basis),
    readDigest: () => readDigest(database),
    readMarkers: () => readValue<readonly string[]>(database, 'markers') ?? [],
    writeMarkers: (markers) => writeValue(database, 'markers', markers),
    readLinks: () => readValue<readonly string[]>(database, 'links') ?? [],
    writeLinks: (links) => writeValue(database, 'links', links),
    countPublish: (published) => {
      if (published !== null && published === readValue<string>(database, 'published')) return
      if (published !== null) writeValue(database, 'published', published)
      writeValue(database, 'publishes', readPublishes(database) + 1)
    },
    readPublishes: () => readPublishes(database),
    readTotals: () => readValue<Totals>(database, 'totals'),
    writeTotals: (totals) => writeValue(database, 'totals', totals),
  }
}

export function readDigest(database: DatabaseSync): string {
  return readValue<string>(database, 'digest') ?? EMPTY_DIGEST
}

export function writeDigest(database: DatabaseSync, digest: string): void {
  writeValue(database, 'digest', digest)
}

/** Returns the number of publishes: see `countPublish`. */
export function readPublishes(database: DatabaseSync): number {
  return readValue<number>(database, 'publishes') ?? 0
}

function openGeneration(database: DatabaseSync, generation: Generation): number {
  const newest = database.prepare('SELECT * FROM generations ORDER BY id DESC LIMIT 1').get()
  const code = formatCanonicalJson(generation.code)
  const { settings, runtime } = generation
  const isSame = newest?.['code'] === code && newest['settings'] === settings && newest['runtime'] === runtime
  if (isSame) return Number(newest['id'])
  const insert = database.prepare('INSERT INTO generations (code, settings, runtime) VALUES (?, ?, ?)')
  return runTransaction(database, () => {
    const id = Number(insert.run(code, settings, runtime).lastInsertRowid)
    database.prepare(MOVE_SELLERS).run(id, id)
    return id
  })
}

const MOVE_SELLERS = `
UPDATE files SET generation = ? WHERE kind = 'page' AND seller IS NOT NULL AND generation IN (
  SELECT earlier.id FROM generations AS earlier JOIN generations AS present ON present.id = ?
  WHERE earlier.settings = present.settings AND earlier.runtime = present.runtime
    ${listPageKinds()
      .filter((kind) => findScope(kind) !== 'site')
      .map((kind) => `AND earlier.code ->> '${kind}' = present.code ->> '${kind}'`)
      .join('\n    ')})`

/** Reads and writes facts about the output folder that must survive a power cut. */
export function createRecordDurability(database: DatabaseSync): RecordDurability {
  return {
    readDurability: () => readValue<Durability>(database, 'durability'),
    readUnsynced: () => listTexts(database.prepare('SELECT path FROM unsynced ORDER BY path')),
    writeDurability: (durability, { forget = [], add = [] } = {}) => {
      // With this setting, SQLite forces the commit of the transaction below to the disk, and with it all earlier
      // commits.
      database.exec('PRAGMA synchronous = FULL')
      try {
        runTransaction(database, () => {
          writeValue(database, 'durability', durability)
          if (forget === 'all') database.exec('DELETE FROM unsynced')
          else runEach(database, 'DELETE FROM unsynced WHERE path = ?', forget)
          runEach(database, 'INSERT OR IGNORE INTO unsynced VALUES (?)', add)
        })
      } finally {
        database.exec('PRAGMA synchronous = NORMAL')
      }
    },
  }
}
