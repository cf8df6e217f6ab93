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
  /** Photos with a lower one come first. */
  readonly turn: number
}

export interface PhotoQueue {
  /** Photos of this run without a picture that are due and not slow; at most `most`. */
  readWaiting(now: number, most: number): readonly KnownPhoto[]
  /** Photos of this run whose picture lacks only its preview, that are due and not slow; at most `most`. */
  readUnpreviewed(now: number, most: number): readonly KnownPhoto[]
  /** Number of photos of this run whose picture lacks a preview that was not tried. */
  countUnpreviewed(): number
  /**
   * Due photos that a page shows, those without a picture first; all, or at most `most`. With `previews`, also those that
   * lack only that.
   */
  readDue(now: number, previews: boolean, most?: number): readonly KnownPhoto[]
  /** Numbers of those photos, and of those among them that have no picture. */
  countDue(now: number, previews: boolean): { readonly due: number; readonly waiting: number }
}

const KNOWN = 'address, tries, etag, modified, source, recipe, picture, preview_recipe'

/** Max photos of a seller that come before less urgent photos of other sellers: a tenth of a night's work. */
const FIRST = 200

/**
 * Selects the photos that fulfil `wanted`. Sellers take turns: of equally urgent photos, the first of each seller comes before the
 * second of any. `order` has the urgency. A photo that nobody shows, or whose host is not listed, has no use.
 */
function createQuery(wanted: string, order = ''): string {
  return `
WITH ranks AS (
  SELECT address, row_number() OVER (PARTITION BY seller, picture IS NOT NULL ORDER BY due, address) AS rank
  FROM photos CROSS JOIN uses USING (address) WHERE ${wanted}
), firsts AS (SELECT address, min(rank) AS rank FROM ranks GROUP BY address)
SELECT ${KNOWN}, dense_rank() OVER (ORDER BY rank > ${FIRST}, ${order} rank) AS turn
FROM firsts CROSS JOIN photos USING (address) ORDER BY turn, due, address LIMIT ?`
}

const WAITING = createQuery(
  'picture IS NULL AND slow = 0 AND due <= ? AND address IN (SELECT address FROM lacking)',
)
const UNPREVIEWED = 'picture IS NOT NULL AND preview_recipe <> ?'
// A photo whose picture was made without a preview is not due for long: it is tried at once, and after a failure in time.
const WAITING_FOR_PREVIEW = createQuery(
  `${UNPREVIEWED} AND slow = 0 AND (tries = 0 OR due <= ?) AND address IN (SELECT address FROM shown)`,
)
const COUNT_UNPREVIEWED = `
SELECT count(*) AS n FROM photos
WHERE ${UNPREVIEWED} AND tries = 0 AND address IN (SELECT address FROM shown)`
const IS_DUE = 'due <= ?'
const IS_DUE_WITH_PREVIEWS = `(due <= ? OR ${UNPREVIEWED} AND tries = 0)`
const DUE = createQuery(IS_DUE, 'picture IS NOT NULL,')
const DUE_WITH_PREVIEWS = createQuery(IS_DUE_WITH_PREVIEWS, 'picture IS NOT NULL, preview_recipe = ?,')
const COUNT_DUE = `
SELECT count(*) AS due, count(*) FILTER (WHERE picture IS NULL) AS waiting
FROM photos WHERE address IN (SELECT address FROM uses) AND`
const ALL = -1

type Row = Record<string, unknown>

export function createPhotoQueue(database: DatabaseSync): PhotoQueue {
  return {
    readWaiting: (now, most) => database.prepare(WAITING).all(now, most).map(parseKnown),
    readUnpreviewed: (now, most) =>
      database.prepare(WAITING_FOR_PREVIEW).all(PREVIEW_RECIPE, now, most).map(parseKnown),
    countUnpreviewed: () => Number(database.prepare(COUNT_UNPREVIEWED).get(PREVIEW_RECIPE)?.['n']),
    readDue: (now, previews, most = ALL) => {
      const rows = previews
        ? database.prepare(DUE_WITH_PREVIEWS).all(now, PREVIEW_RECIPE, PREVIEW_RECIPE, most)
        : database.prepare(DUE).all(now, most)
      return rows.map(parseKnown)
    },
    countDue: (now, previews) => {
      const row = previews
        ? database.prepare(`${COUNT_DUE} ${IS_DUE_WITH_PREVIEWS}`).get(now, PREVIEW_RECIPE)
        : database.prepare(`${COUNT_DUE} ${IS_DUE}`).get(now)
      return { due: Number(row?.['due']), waiting: Number(row?.['waiting']) }
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
    turn: Number(row['turn']),
  }
}
