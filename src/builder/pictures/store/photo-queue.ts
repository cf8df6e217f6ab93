/**
 * The queue of photos: new photos to fetch, and known photos to retry, to revalidate, or to process again with the
 * current recipe.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Validators } from '../photos/fetch-photo.ts'
import { PREVIEW_RECIPE, RECIPE } from '../photos/recipe.ts'

export interface KnownPhoto {
  readonly address: string
  /** Number of consecutive failures. */
  readonly tries: number
  readonly validators: Validators
  /** Hash of the bytes that the picture was made from or that could not be used; empty if there were none. */
  readonly source: string
  readonly hasPicture: boolean
  /** Whether the picture was made by the current recipe. */
  readonly isCurrent: boolean
  /** Whether a preview by the current recipe was made, or found impossible. */
  readonly isPreviewed: boolean
  /** Photos with a lower turn come first. */
  readonly turn: number
}

export interface PhotoQueue {
  /**
   * Returns at most `most` of the photos added by `addLacking` that still have no picture, are due, and are not marked
   * as slow.
   */
  readWaiting(now: number, most: number): readonly KnownPhoto[]
  /**
   * Returns at most `most` of the photos added by `addShown` that have an outdated picture and are not marked as slow.
   * If the last try of a photo failed, the photo must also be due. A picture is outdated if another recipe made it or,
   * with `previews`, if the current recipe was not yet tried for its preview.
   */
  readOutdated(now: number, previews: boolean, most: number): readonly KnownPhoto[]
  /** Returns the number of photos added by `addShown` that have an outdated picture and whose last try did not fail. */
  countOutdated(previews: boolean): number
  /**
   * Returns photos that a page shows and that are due, or that have an outdated picture and whose last try did not
   * fail. Photos without a picture come first, then those with an outdated picture; but a seller's photos beyond
   * `FIRST` come last. Without `most` it returns all.
   */
  readDue(now: number, previews: boolean, most?: number): readonly KnownPhoto[]
  /** `due` counts the photos of `readDue`; `waiting` counts those among them without a picture. */
  countDue(now: number, previews: boolean): { readonly due: number; readonly waiting: number }
}

/** Max time until a photo is due again after a try: a week, in milliseconds. */
export const LONGEST_WAIT = 7 * 24 * 60 * 60_000

const KNOWN = 'address, tries, etag, modified, source, recipe, picture, preview_recipe'

/** A seller's photos beyond this number come last, so that one seller cannot delay all other sellers. */
const FIRST = 200

/**
 * Returns a query for the photos that have a row in `uses` and fulfil the SQL condition `wanted`. Among equally urgent
 * photos, the first photo of each seller precedes the second of any seller. `order` is a list of SQL expressions with a
 * trailing comma; lower values are more urgent.
 */
function createQuery(wanted: string, order = ''): string {
  return `
WITH ranks AS (
  SELECT address, row_number() OVER (PARTITION BY seller, picture IS NOT NULL ORDER BY due, address) AS rank
  FROM photos CROSS JOIN uses USING (address) WHERE ${wanted}
), firsts AS (SELECT address, min(rank) AS rank FROM ranks GROUP BY address)
SELECT ${KNOWN}, dense_rank() OVER (ORDER BY rank > ${FIRST}, ${order} rank) AS turn
FROM firsts CROSS JOIN photos USING (address) ORDER BY turn, due, address LIMIT $most`
}

/**
 * A due time that is more than `LONGEST_WAIT` from now was set while the clock was ahead, so the photo counts as due.
 */
export const IS_TIME = `(due <= $now OR due > $now + ${LONGEST_WAIT})`
// Takes the turns from the table `lacking`, because numbering the photos of a whole site again would take seconds.
const WAITING = `
SELECT ${KNOWN}, turn FROM (SELECT address, min(turn) AS turn FROM lacking GROUP BY address)
CROSS JOIN photos USING (address) WHERE picture IS NULL AND slow = 0 AND ${IS_TIME}
ORDER BY turn, due, address LIMIT $most`
const IS_OUTDATED =
  'picture IS NOT NULL AND (recipe <> $recipe OR $previews AND preview_recipe <> $previewRecipe)'
// Ignores `due`, which may be hours away, unless the last try of the photo failed. Retries wait until they are due.
const OUTDATED = createQuery(
  `${IS_OUTDATED} AND slow = 0 AND (tries = 0 OR ${IS_TIME}) AND address IN (SELECT address FROM shown)`,
)
const COUNT_OUTDATED = `
SELECT count(*) AS n FROM photos
WHERE ${IS_OUTDATED} AND tries = 0 AND address IN (SELECT address FROM shown)`
const IS_DUE = `(${IS_TIME} OR ${IS_OUTDATED} AND tries = 0)`
const DUE = createQuery(IS_DUE, `picture IS NOT NULL, NOT (${IS_OUTDATED}),`)
const COUNT_DUE = `
SELECT count(*) AS due, count(*) FILTER (WHERE picture IS NULL) AS waiting
FROM photos WHERE address IN (SELECT address FROM uses) AND ${IS_DUE}`
const ALL = -1

type Row = Record<string, unknown>

export function createPhotoQueue(database: DatabaseSync): PhotoQueue {
  return {
    readWaiting: ($now, $most) => database.prepare(WAITING).all({ $now, $most }).map(parseKnown),
    readOutdated: ($now, previews, $most) =>
      database
        .prepare(OUTDATED)
        .all({ ...listRecipes(previews), $now, $most })
        .map(parseKnown),
    countOutdated: (previews) => Number(database.prepare(COUNT_OUTDATED).get(listRecipes(previews))?.['n']),
    readDue: ($now, previews, $most = ALL) =>
      database
        .prepare(DUE)
        .all({ ...listRecipes(previews), $now, $most })
        .map(parseKnown),
    countDue: ($now, previews) => {
      const row = database.prepare(COUNT_DUE).get({ ...listRecipes(previews), $now })
      return { due: Number(row?.['due']), waiting: Number(row?.['waiting']) }
    },
  }
}

function listRecipes(previews: boolean): Record<string, string | number> {
  return { $recipe: RECIPE, $previews: Number(previews), $previewRecipe: PREVIEW_RECIPE }
}

// The values need no check, because only the picture store writes them.
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
