/** Photos and their pictures in the store's database. */
import type { DatabaseSync } from 'node:sqlite'
import type { MadePhoto } from '../../domain/pages/find-pictures.ts'

export interface StoredFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface MadePicture extends MadePhoto {
  readonly files: readonly StoredFile[]
  /** The common beginning of the paths of the files. */
  readonly stem: string
}

/** What a picture was made from. */
export interface PictureOrigin {
  /** Hash of the photo's bytes; of a file in the public folder, the hash of its present bytes. */
  readonly source: string
  /** Empty if there is no picture. */
  readonly recipe: string
  /** The validator of the response, for conditional requests. */
  readonly etag: string | null
}

export interface KnownPhoto extends PictureOrigin {
  /** Number of failures in a row. */
  readonly tries: number
}

const AMONG = 'IN (SELECT value FROM json_each(?))'

// The first photos of each catalogue come first, so that no seller waits for all photos of another.
const QUEUE = `
SELECT address FROM json_each($sellers) CROSS JOIN uses ON seller = value CROSS JOIN photos USING (address)
WHERE due <= $until AND (made IS NULL OR $isAll)
GROUP BY address ORDER BY made IS NOT NULL, min(place), address`

export function createPhotoReads(database: DatabaseSync) {
  const made = database.prepare(
    `SELECT address, made FROM photos WHERE made IS NOT NULL AND address ${AMONG}`,
  )
  return {
    findPictures: (addresses: readonly string[]): ReadonlyMap<string, MadePhoto> => {
      const rows = made.all(JSON.stringify(addresses))
      return new Map(
        rows.map((row) => [String(row['address']), JSON.parse(String(row['made'])) as MadePhoto]),
      )
    },
    /** Returns why the last try of these photos failed. Leaves out those that have a picture. */
    findReasons: (addresses: readonly string[]): ReadonlyMap<string, string> => {
      const sql = `SELECT address, reason FROM photos WHERE made IS NULL AND reason IS NOT NULL AND address ${AMONG}`
      const rows = database.prepare(sql).all(JSON.stringify(addresses))
      return new Map(rows.map((row) => [String(row['address']), String(row['reason'])]))
    },
    /** Returns the photos of these sellers that are due by a time. Those that have a picture come last, or not at all. */
    readQueue: (sellers: readonly string[], until: number, isAll: boolean): readonly string[] => {
      const values = { sellers: JSON.stringify(sellers), until, isAll: Number(isAll) }
      const rows = database.prepare(QUEUE).all(values)
      return rows.map((row) => String(row['address']))
    },
    /** Returns what is known of a photo in the queue. The cast is safe because the columns have these types. */
    readPhoto: (address: string): KnownPhoto => {
      const sql = 'SELECT tries, recipe, source, etag FROM photos WHERE address = ?'
      return database.prepare(sql).get(address) as unknown as KnownPhoto
    },
  }
}

const USE = `
INSERT INTO uses SELECT ?, value, key FROM json_each(?) WHERE true
ON CONFLICT DO UPDATE SET place = excluded.place WHERE place <> excluded.place`

// A file of the public folder that was replaced loses its picture.
const ADD = `
INSERT INTO photos (address, source) SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true
ON CONFLICT DO UPDATE SET source = excluded.source, made = NULL, stem = NULL, recipe = '',
  due = 0, tries = 0, reason = NULL WHERE excluded.source NOT IN ('', source)`

const TRY = `
UPDATE photos SET due = $due, reason = $reason, tries = iif($reason IS NULL, 0, tries + 1) WHERE address = $address`

const KEEP = `
UPDATE photos SET made = $made, stem = $stem, recipe = $recipe, source = $source, etag = $etag WHERE address = $address`

export function createPhotoWrites(database: DatabaseSync) {
  const forgetUses = database.prepare(`DELETE FROM uses WHERE seller = ? AND address NOT ${AMONG}`)
  const [addUses, addPhotos] = [database.prepare(USE), database.prepare(ADD)]
  return {
    /**
     * Registers the photos of a seller. Those that may be fetched enter the queue, with the hash of their bytes if they
     * are files of the public folder, else with an empty text.
     */
    showPhotos: (
      seller: string,
      shown: readonly string[],
      permitted: readonly (readonly [address: string, source: string])[],
    ): void => {
      forgetUses.run(seller, JSON.stringify(shown))
      addUses.run(seller, JSON.stringify(shown))
      addPhotos.run(JSON.stringify(permitted))
    },
    /** Stores that the photo was tried, and when it is due again. `reason` is why it failed; `null` if it did not. */
    keepTry: (address: string, due: number, reason: string | null): void => {
      database.prepare(TRY).run({ address, due, reason })
    },
    /** Stores a picture. If it is another one, the sellers who show the photo are logged, and the result is true. */
    keepPicture: (address: string, made: MadePicture & PictureOrigin): boolean => {
      const { picture, preview, files, stem, ...origin } = made
      for (const file of files) putFile(database, file, stem)
      const before = database.prepare('SELECT stem FROM photos WHERE address = ?').get(address)
      database.prepare(KEEP).run({ address, made: JSON.stringify({ picture, preview }), stem, ...origin })
      if (before?.['stem'] === stem) return false
      database.prepare('INSERT INTO log (seller) SELECT seller FROM uses WHERE address = ?').run(address)
      return true
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
