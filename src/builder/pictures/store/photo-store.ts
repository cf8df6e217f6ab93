/** The photos in the store: their pictures, when they are due, and who shows them. */
import type { DatabaseSync } from 'node:sqlite'
import type { Picture } from '../../../domain/photos/picture.ts'
import type { Validators } from '../photos/fetch-photo.ts'
import type { PictureChangeStore } from './picture-changes.ts'
import { RECIPE } from '../photos/recipe.ts'

export interface KnownPhoto {
  readonly address: string
  /** Failures in a row. */
  readonly tries: number
  readonly validators: Validators
  /** Hash of the bytes it was made from; empty as long as there is no picture. */
  readonly source: string
  readonly hasPicture: boolean
  /** Its picture was made as pictures are made now. */
  readonly isCurrent: boolean
}

export interface StoredFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface KeptPicture {
  readonly picture: Picture
  readonly files: readonly StoredFile[]
  readonly source: string
  readonly validators: Validators
  readonly due: number
}

export interface PhotoStore {
  /** Those of `addresses` that have none. */
  findLacking(addresses: readonly string[]): ReadonlySet<string>
  /** Of the photos gathered without a picture, those that may be tried now and are not slow; at most so many. */
  readWaiting(now: number, most: number): readonly KnownPhoto[]
  /** All that are due, those without a picture first. */
  readDue(now: number): readonly KnownPhoto[]
  /** Why the last try failed, of those that failed. */
  findFailures(addresses: readonly string[]): ReadonlyMap<string, string>
  /** A picture that differs from the one before is news for all who show it. Answers whether it does. */
  keepPicture(address: string, kept: KeptPicture): boolean
  keepUnchanged(address: string, due: number): void
  keepFailure(address: string, reason: string, due: number): void
  markSlow(address: string): void
  /** Sellers whose pages show photos. */
  readUsers(): readonly string[]
  readFile(path: string): Uint8Array | null
  /** Forgets photos that no page shows, and files that no picture names. */
  sweep(): number
}

const KNOWN = 'address, tries, etag, modified, source, recipe, picture'
const AMONG = 'address IN (SELECT value FROM json_each(?))'
const WAITING = `
SELECT ${KNOWN} FROM photos
WHERE picture IS NULL AND slow = 0 AND due <= ? AND address IN (SELECT address FROM lacking) ORDER BY address LIMIT ?`
const LACKING = `
SELECT value AS address FROM json_each(?)
WHERE NOT EXISTS (SELECT 1 FROM photos WHERE address = value AND picture IS NOT NULL)`
const FAILED = `SELECT address, reason FROM photos WHERE reason IS NOT NULL AND ${AMONG}`
const KEEP = `
UPDATE photos SET picture = ?, source = ?, recipe = ?, etag = ?, modified = ?, due = ?, tries = 0, reason = NULL, slow = 0
WHERE address = ?`
const FAIL = 'UPDATE photos SET tries = tries + 1, reason = ?, due = ? WHERE address = ?'
const SWEEP = `
DELETE FROM files WHERE path NOT IN (SELECT path FROM socials) AND path NOT IN (
  SELECT json_extract(source.value, '$.path') FROM photos, json_each(photos.picture, '$.sources') AS source)`

type Row = Record<string, unknown>

export function createPhotoStore(database: DatabaseSync, news: PictureChangeStore): PhotoStore {
  return {
    findLacking: (addresses) =>
      new Set(
        database
          .prepare(LACKING)
          .all(JSON.stringify(addresses))
          .map((row) => String(row['address'])),
      ),
    readWaiting: (now, most) => database.prepare(WAITING).all(now, most).map(parseKnown),
    readDue: (now) =>
      database
        .prepare(`SELECT ${KNOWN} FROM photos WHERE due <= ? ORDER BY picture IS NOT NULL, due, address`)
        .all(now)
        .map(parseKnown),
    findFailures: (addresses) => {
      const rows = database.prepare(FAILED).all(JSON.stringify(addresses))
      return new Map(rows.map((row) => [String(row['address']), String(row['reason'])]))
    },
    keepPicture: (address, kept) => keepPicture(database, { address, kept, news }),
    keepUnchanged: (address, due) => {
      database
        .prepare('UPDATE photos SET due = ?, tries = 0, reason = NULL WHERE address = ?')
        .run(due, address)
    },
    keepFailure: (address, reason, due) => {
      database.prepare(FAIL).run(reason, due, address)
    },
    markSlow: (address) => {
      database.prepare('UPDATE photos SET slow = 1 WHERE address = ?').run(address)
    },
    readUsers: () =>
      database
        .prepare('SELECT DISTINCT seller FROM uses ORDER BY seller')
        .all()
        .map((row) => String(row['seller'])),
    readFile: (path) => {
      const bytes = database.prepare('SELECT bytes FROM files WHERE path = ?').get(path)?.['bytes']
      return bytes instanceof Uint8Array ? bytes : null
    },
    sweep: () => {
      database.exec('DELETE FROM photos WHERE address NOT IN (SELECT address FROM uses)')
      return Number(database.prepare(SWEEP).run().changes)
    },
  }
}

interface Keeping {
  readonly address: string
  readonly kept: KeptPicture
  readonly news: PictureChangeStore
}

function keepPicture(database: DatabaseSync, { address, kept, news }: Keeping): boolean {
  const { files, source, validators, due } = kept
  const picture = JSON.stringify(kept.picture)
  const before = database.prepare('SELECT picture FROM photos WHERE address = ?').get(address)?.['picture']
  const put = database.prepare('INSERT OR IGNORE INTO files VALUES (?, ?)')
  for (const { path, bytes } of files) put.run(path, bytes)
  database.prepare(KEEP).run(picture, source, RECIPE, validators.etag, validators.modified, due, address)
  const isNew = before !== picture
  if (isNew) news.addPhotoChange(address)
  return isNew
}

// Only this file writes pictures.
function parseKnown(row: Row): KnownPhoto {
  const text = (name: string): string | null => (row[name] === null ? null : String(row[name]))
  return {
    address: String(row['address']),
    tries: Number(row['tries']),
    validators: { etag: text('etag'), modified: text('modified') },
    source: String(row['source']),
    hasPicture: row['picture'] !== null,
    isCurrent: row['recipe'] === RECIPE,
  }
}
