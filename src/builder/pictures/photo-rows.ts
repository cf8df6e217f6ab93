/** Photos with their pictures in the store's database, and the queue of photos that are due. */
import type { DatabaseSync } from 'node:sqlite'
import type { PreviewPicture } from '../../domain/pages/sharing.ts'
import type { Picture } from '../../domain/photos/picture.ts'

export interface StoredFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface MadePicture {
  readonly picture: Picture
  /** `null` if the photo is unfit for a link preview. */
  readonly preview: PreviewPicture | null
  readonly files: readonly StoredFile[]
  /** The common beginning of the paths of the files. */
  readonly stem: string
}

/** HTTP validators of a response, for conditional requests. */
export interface Validators {
  readonly etag: string | null
  readonly modified: string | null
}

export interface KnownPhoto {
  readonly address: string
  /** Number of consecutive failures. */
  readonly tries: number
  readonly validators: Validators
  /** Hash of the bytes that were tried last; empty if there were none. */
  readonly source: string
  /** True if there is a picture of the present recipe. */
  readonly isCurrent: boolean
}

/** The bytes that were tried, when, and when the photo is due again, in milliseconds since 1970. */
interface Tried {
  readonly source: string
  readonly at: number
  readonly due: number
}

interface QueueQuery {
  /**
   * `shown`: due photos of these sellers that have no picture. `due`: all photos that are due; `all`: others, too, but
   * only those that have not been tried since `now`.
   */
  readonly scope: 'shown' | 'due' | 'all'
  readonly sellers: readonly string[]
  readonly now: number
  readonly recipe: string
  readonly most: number
}

interface KeptPicture extends Tried {
  readonly made: MadePicture
  readonly validators: Validators
  readonly recipe: string
}

const CURRENT = 'picture IS NOT NULL AND recipe = $recipe'
/** A due time further away than the longest wait was set while the clock was ahead. */
const LONGEST_WAIT = 7 * 24 * 60 * 60_000
const ALL = 'photos CROSS JOIN uses USING (address)'
const QUEUES = {
  shown: formatQueue(
    'json_each($sellers) CROSS JOIN uses ON seller = value CROSS JOIN photos USING (address)',
    `due <= $now AND NOT (${CURRENT})`,
  ),
  due: formatQueue(
    ALL,
    `due <= $now OR due > $now + ${LONGEST_WAIT} OR picture IS NOT NULL AND recipe <> $recipe AND tries = 0`,
  ),
  all: formatQueue(ALL, 'tried < $now'),
}
const KEEP = `
UPDATE photos SET picture = $picture, preview = $preview, stem = $stem, source = $source, recipe = $recipe,
  etag = $etag, modified = $modified, tried = $at, due = $due, tries = 0, reason = NULL WHERE address = $address`
const FAIL = `
UPDATE photos SET tries = tries + 1, reason = $reason, tried = $at, due = $due,
  source = CASE WHEN picture IS NULL THEN $source ELSE source END WHERE address = $address`
const LOG_USERS = 'INSERT INTO log (seller) SELECT seller FROM uses WHERE address = ? ORDER BY seller'
const AMONG = 'IN (SELECT value FROM json_each(?))'

/** Photos without a picture come first, and in turn one of each seller. */
function formatQueue(from: string, where: string): string {
  return `
WITH turns AS (
  SELECT address, row_number() OVER (PARTITION BY seller ORDER BY due, address) AS turn FROM ${from} WHERE ${where}
)
SELECT address, tries, etag, modified, source, due, ${CURRENT} AS current
FROM (SELECT address, min(turn) AS turn FROM turns GROUP BY address) CROSS JOIN photos USING (address)
ORDER BY current, turn, due, address LIMIT $most`
}

export function createPhotoReads(database: DatabaseSync) {
  const pictures = database.prepare(
    `SELECT address, picture FROM photos WHERE picture IS NOT NULL AND address ${AMONG}`,
  )
  const preview = database.prepare('SELECT preview FROM photos WHERE address = ? AND preview IS NOT NULL')
  const lacking = database.prepare(
    `SELECT address, reason FROM json_each($addresses) CROSS JOIN photos ON address = value WHERE NOT (${CURRENT})`,
  )
  return {
    findPictures: (addresses: readonly string[]): ReadonlyMap<string, Picture> => {
      const rows = pictures.all(JSON.stringify(addresses))
      return new Map(
        rows.map((row) => [String(row['address']), JSON.parse(String(row['picture'])) as Picture]),
      )
    },
    findPreview: (address: string): PreviewPicture | null => {
      const row = preview.get(address)
      return row === undefined ? null : (JSON.parse(String(row['preview'])) as PreviewPicture)
    },
    /** Returns those of these photos that have no picture of this recipe, each with why the last try failed. */
    findLacking: (addresses: readonly string[], recipe: string): ReadonlyMap<string, string | null> => {
      const rows = lacking.all({ addresses: JSON.stringify(addresses), recipe })
      return new Map(rows.map((row) => [String(row['address']), readText(row['reason'])]))
    },
    readQueue: ({ scope, sellers, ...query }: QueueQuery): readonly KnownPhoto[] => {
      const values = { ...query, ...(scope === 'shown' && { sellers: JSON.stringify(sellers) }) }
      return database.prepare(QUEUES[scope]).all(values).map(parseKnown)
    },
    /** Returns the tried photos of the public folder, each with the hash of its bytes. */
    readOwn: () =>
      // Their addresses begin with `/`; `0` is the next character.
      database
        .prepare("SELECT address, source FROM photos WHERE address >= '/' AND address < '0' AND tried > 0")
        .all()
        .map((row) => ({ address: String(row['address']), source: String(row['source']) })),
  }
}

function parseKnown(row: Record<string, unknown>): KnownPhoto {
  return {
    address: String(row['address']),
    tries: Number(row['tries']),
    validators: { etag: readText(row['etag']), modified: readText(row['modified']) },
    source: String(row['source']),
    isCurrent: row['current'] === 1,
  }
}

function readText(value: unknown): string | null {
  return value === null ? null : String(value)
}

export function createPhotoWrites(database: DatabaseSync) {
  const forgetUses = database.prepare(`DELETE FROM uses WHERE seller = ? AND address NOT ${AMONG}`)
  const addUses = database.prepare('INSERT OR IGNORE INTO uses SELECT ?, value FROM json_each(?)')
  const addPhotos = database.prepare('INSERT OR IGNORE INTO photos (address) SELECT value FROM json_each(?)')
  return {
    /** Registers the photos of a seller. Those that may be fetched enter the queue. */
    showPhotos: (seller: string, shown: readonly string[], permitted: readonly string[]): void => {
      forgetUses.run(seller, JSON.stringify(shown))
      addUses.run(seller, JSON.stringify(shown))
      addPhotos.run(JSON.stringify(permitted))
    },
    /** Stores a picture. If it is another one, the sellers who show the photo are logged, and the result is true. */
    keepPicture: (address: string, { made, validators, ...kept }: KeptPicture): boolean => {
      const { stem, files } = made
      const before = database.prepare('SELECT stem FROM photos WHERE address = ?').get(address)
      for (const file of files) putFile(database, file, stem)
      const picture = JSON.stringify(made.picture)
      const preview = made.preview === null ? null : JSON.stringify(made.preview)
      database.prepare(KEEP).run({ address, picture, preview, stem, ...validators, ...kept })
      const isNew = before?.['stem'] !== stem
      if (isNew) database.prepare(LOG_USERS).run(address)
      return isNew
    },
    keepUnchanged: (address: string, { at, due }: Omit<Tried, 'source'>): void => {
      const sql = 'UPDATE photos SET tried = ?, due = ?, tries = 0, reason = NULL WHERE address = ?'
      database.prepare(sql).run(at, due, address)
    },
    keepFailure: (address: string, reason: string, tried: Tried): void => {
      database.prepare(FAIL).run({ address, reason, ...tried })
    },
    /** Forgets the picture of a photo, which is due at once. */
    renew: (address: string): void => {
      database.prepare('DELETE FROM photos WHERE address = ?').run(address)
      database.prepare('INSERT INTO photos (address) VALUES (?)').run(address)
      database.prepare(LOG_USERS).run(address)
    },
    /** Deletes what belongs to other sellers than these, and all photos and files that nobody shows. */
    sweep: (sellers: readonly string[]): void => {
      for (const table of ['uses', 'socials'])
        database
          .prepare(`DELETE FROM ${table} WHERE seller <> '' AND seller NOT ${AMONG}`)
          .run(JSON.stringify(sellers))
      database.exec(`
DELETE FROM photos WHERE address NOT IN (SELECT address FROM uses);
DELETE FROM files WHERE stem NOT IN (SELECT stem FROM photos WHERE stem IS NOT NULL UNION SELECT path FROM socials);`)
    },
  }
}

export function putFile(database: DatabaseSync, { path, bytes }: StoredFile, stem: string): void {
  database.prepare('INSERT OR IGNORE INTO files VALUES (?, ?, ?)').run(path, stem, bytes)
}
