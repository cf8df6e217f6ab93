/** The photos, pictures and files in the store's database. */
import type { DatabaseSync } from 'node:sqlite'
import type { PreviewPicture } from '../../domain/pages/sharing.ts'
import type { Picture } from '../../domain/photos/picture.ts'
import type { KnownPhoto, PictureStore, StoredFile } from './stored-pictures.ts'

const KNOWN =
  'address, tries, etag, modified, source, due, picture IS NOT NULL AND recipe = $recipe AS current'
const LACKING = `
SELECT ${KNOWN} FROM json_each($addresses) CROSS JOIN photos ON address = value WHERE NOT current`
/** A due time further away than the longest wait was set while the clock was ahead. */
const LONGEST_WAIT = 7 * 24 * 60 * 60_000
const QUEUE = `
WITH turns AS (
  SELECT address, row_number() OVER (PARTITION BY seller ORDER BY due, address) AS turn
  FROM photos CROSS JOIN uses USING (address)
  WHERE CASE WHEN $isAll THEN tried < $now
    ELSE due <= $now OR due > $now + ${LONGEST_WAIT} OR picture IS NOT NULL AND recipe <> $recipe AND tries = 0 END
)
SELECT ${KNOWN} FROM (SELECT address, min(turn) AS turn FROM turns GROUP BY address) CROSS JOIN photos USING (address)
ORDER BY current, turn, due, address LIMIT $most`
const KEEP = `
UPDATE photos SET picture = $picture, preview = $preview, stem = $stem, source = $source, recipe = $recipe,
  etag = $etag, modified = $modified, tried = $at, due = $due, tries = 0, reason = NULL WHERE address = $address`
const FAIL = `
UPDATE photos SET tries = tries + 1, reason = $reason, tried = $at, due = $due,
  source = CASE WHEN picture IS NULL THEN $source ELSE source END WHERE address = $address`
const RENEW = `
UPDATE photos SET picture = NULL, preview = NULL, stem = NULL, source = '', recipe = '', etag = NULL, modified = NULL,
  tried = 0, due = 0, tries = 0, reason = NULL WHERE address = ?`
const LOG_USERS = 'INSERT INTO log (seller) SELECT seller FROM uses WHERE address = ? ORDER BY seller'
const AMONG = 'IN (SELECT value FROM json_each(?))'
const SWEEP = `
DELETE FROM photos WHERE address NOT IN (SELECT address FROM uses);
DELETE FROM files WHERE stem NOT IN (SELECT stem FROM photos WHERE stem IS NOT NULL UNION SELECT path FROM socials);`

type PhotoReads = Pick<
  PictureStore,
  'findPictures' | 'findPreview' | 'findFailures' | 'findLacking' | 'readQueue' | 'readOwn' | 'readFile'
>

export function createPhotoReads(database: DatabaseSync): PhotoReads {
  const pictures = database.prepare(
    `SELECT address, picture FROM photos WHERE picture IS NOT NULL AND address ${AMONG}`,
  )
  const preview = database.prepare('SELECT preview FROM photos WHERE address = ? AND preview IS NOT NULL')
  const failures = database.prepare(
    `SELECT address, reason FROM photos WHERE reason IS NOT NULL AND address ${AMONG}`,
  )
  const lacking = database.prepare(LACKING)
  const file = database.prepare('SELECT bytes FROM files WHERE path = ?')
  return {
    findPictures: (addresses) => {
      const rows = pictures.all(JSON.stringify(addresses))
      return new Map(
        rows.map((row) => [String(row['address']), JSON.parse(String(row['picture'])) as Picture]),
      )
    },
    findPreview: (address) => {
      const row = preview.get(address)
      return row === undefined ? null : (JSON.parse(String(row['preview'])) as PreviewPicture)
    },
    findFailures: (addresses) => {
      const rows = failures.all(JSON.stringify(addresses))
      return new Map(rows.map((row) => [String(row['address']), String(row['reason'])]))
    },
    findLacking: (addresses, $recipe) =>
      lacking
        .all({ $addresses: JSON.stringify(addresses), $recipe })
        .map((row) => ({ ...parseKnown(row), due: Number(row['due']) })),
    readQueue: ({ now: $now, isAll, recipe: $recipe, most: $most }) =>
      database
        .prepare(QUEUE)
        .all({ $now, $isAll: Number(isAll), $recipe, $most })
        .map(parseKnown),
    // Addresses of files of the public folder begin with `/`; `0` is the next character.
    readOwn: () =>
      database
        .prepare("SELECT address, source FROM photos WHERE address >= '/' AND address < '0' AND tried > 0")
        .all()
        .map((row) => ({ address: String(row['address']), source: String(row['source']) })),
    readFile: (path) => {
      const bytes = file.get(path)?.['bytes']
      return bytes instanceof Uint8Array ? bytes : null
    },
  }
}

function parseKnown(row: Record<string, unknown>): KnownPhoto {
  const text = (name: string): string | null => (row[name] === null ? null : String(row[name]))
  return {
    address: String(row['address']),
    tries: Number(row['tries']),
    validators: { etag: text('etag'), modified: text('modified') },
    source: String(row['source']),
    isCurrent: row['current'] === 1,
  }
}

type PhotoWrites = Pick<
  PictureStore,
  'showPhotos' | 'keepPicture' | 'keepUnchanged' | 'keepFailure' | 'renew' | 'sweep'
>

export function createPhotoWrites(database: DatabaseSync): PhotoWrites {
  const forgetUses = database.prepare(`DELETE FROM uses WHERE seller = ? AND address NOT ${AMONG}`)
  const addUses = database.prepare('INSERT OR IGNORE INTO uses SELECT ?, value FROM json_each(?)')
  const addPhotos = database.prepare('INSERT OR IGNORE INTO photos (address) SELECT value FROM json_each(?)')
  const unchanged = database.prepare(
    'UPDATE photos SET tried = ?, due = ?, tries = 0, reason = NULL WHERE address = ?',
  )
  return {
    showPhotos: (seller, shown, permitted) => {
      forgetUses.run(seller, JSON.stringify(shown))
      addUses.run(seller, JSON.stringify(shown))
      addPhotos.run(JSON.stringify(permitted))
    },
    keepPicture: ($address, { made, validators, source: $source, recipe: $recipe, at: $at, due: $due }) => {
      const [$picture, $preview] = [JSON.stringify(made.picture), JSON.stringify(made.preview)]
      const before = database.prepare('SELECT stem FROM photos WHERE address = ?').get($address)
      for (const file of made.files) putFile(database, file, made.stem)
      database.prepare(KEEP).run({
        $address,
        $picture,
        $preview: made.preview === null ? null : $preview,
        $stem: made.stem,
        $source,
        $recipe,
        $etag: validators.etag,
        $modified: validators.modified,
        $at,
        $due,
      })
      const isNew = before?.['stem'] !== made.stem
      if (isNew) database.prepare(LOG_USERS).run($address)
      return isNew
    },
    keepUnchanged: (address, tried, due) => {
      unchanged.run(tried, due, address)
    },
    keepFailure: ($address, $reason, { source: $source, at: $at, due: $due }) => {
      database.prepare(FAIL).run({ $address, $reason, $source, $at, $due })
    },
    renew: (address) => {
      database.prepare(RENEW).run(address)
      database.prepare(LOG_USERS).run(address)
    },
    sweep: (sellers) => {
      const names = JSON.stringify(sellers)
      for (const table of ['uses', 'socials'])
        database.prepare(`DELETE FROM ${table} WHERE seller <> '' AND seller NOT ${AMONG}`).run(names)
      database.exec(SWEEP)
    },
  }
}

export function putFile(database: DatabaseSync, { path, bytes }: StoredFile, stem: string): void {
  database.prepare('INSERT OR IGNORE INTO files VALUES (?, ?, ?)').run(path, stem, bytes)
}
