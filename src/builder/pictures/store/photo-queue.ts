/** The queue of photos: those to be fetched, and those to be looked at again. */
import type { DatabaseSync } from 'node:sqlite'
import type { Validators } from '../photos/fetch-photo.ts'
import { PREVIEW_RECIPE, RECIPE } from '../photos/recipe.ts'

export interface KnownPhoto {
  readonly address: string
  /** Failures in a row. */
  readonly tries: number
  readonly validators: Validators
  /** Hash of the bytes that the picture was made from or that failed; empty if there were none. */
  readonly source: string
  readonly hasPicture: boolean
  /** Whether the picture was made by the current recipe. */
  readonly isCurrent: boolean
  /** Whether a preview by the current recipe was made, or found impossible. */
  readonly isPreviewed: boolean
}

export interface PhotoQueue {
  /** Photos of this run without a picture that are due and not slow; at most `most`. */
  readWaiting(now: number, most: number): readonly KnownPhoto[]
  /** Photos of this run whose picture lacks only its preview, that are due and not slow; at most `most`. */
  readUnpreviewed(now: number, most: number): readonly KnownPhoto[]
  /** Number of photos of this run whose picture lacks a preview that was not tried. */
  countUnpreviewed(): number
  /** All due photos that a page shows, those without a picture first. With `previews`, also those that lack only that. */
  readDue(now: number, previews: boolean): readonly KnownPhoto[]
}

const KNOWN = 'address, tries, etag, modified, source, recipe, picture, preview_recipe'
const WAITING = `
SELECT ${KNOWN} FROM photos
WHERE picture IS NULL AND slow = 0 AND due <= ? AND address IN (SELECT address FROM lacking) ORDER BY address LIMIT ?`
const UNPREVIEWED = 'picture IS NOT NULL AND preview_recipe <> ?'
// A photo whose picture was made without a preview is not due for long: it is tried at once, and after a failure in time.
const WAITING_FOR_PREVIEW = `
SELECT ${KNOWN} FROM photos
WHERE ${UNPREVIEWED} AND slow = 0 AND (tries = 0 OR due <= ?) AND address IN (SELECT address FROM shown)
ORDER BY address LIMIT ?`
const COUNT_UNPREVIEWED = `
SELECT count(*) AS n FROM photos
WHERE ${UNPREVIEWED} AND tries = 0 AND address IN (SELECT address FROM shown)`
// A photo whose host is not listed has no use.
const DUE = `
SELECT ${KNOWN} FROM photos WHERE due <= ? AND address IN (SELECT address FROM uses)
ORDER BY picture IS NOT NULL, due, address`
const DUE_WITH_PREVIEWS = `
SELECT ${KNOWN} FROM photos
WHERE (due <= ? OR ${UNPREVIEWED} AND tries = 0) AND address IN (SELECT address FROM uses)
ORDER BY picture IS NOT NULL, preview_recipe = ?, due, address`

type Row = Record<string, unknown>

export function createPhotoQueue(database: DatabaseSync): PhotoQueue {
  return {
    readWaiting: (now, most) => database.prepare(WAITING).all(now, most).map(parseKnown),
    readUnpreviewed: (now, most) =>
      database.prepare(WAITING_FOR_PREVIEW).all(PREVIEW_RECIPE, now, most).map(parseKnown),
    countUnpreviewed: () => Number(database.prepare(COUNT_UNPREVIEWED).get(PREVIEW_RECIPE)?.['n']),
    readDue: (now, previews) => {
      const rows = previews
        ? database.prepare(DUE_WITH_PREVIEWS).all(now, PREVIEW_RECIPE, PREVIEW_RECIPE)
        : database.prepare(DUE).all(now)
      return rows.map(parseKnown)
    },
  }
}

// The column needs no check, because only this file writes it.
function parseKnown(row: Row): KnownPhoto {
  const text = (name: string): string | null => (row[name] === null ? null : String(row[name]))
  return {
    address: String(row['address']),
    tries: Number(row['tries']),
    validators: { etag: text('etag'), modified: text('modified') },
    source: String(row['source']),
    hasPicture: row['picture'] !== null,
    isCurrent: row['recipe'] === RECIPE,
    isPreviewed: row['preview_recipe'] === PREVIEW_RECIPE,
  }
}
