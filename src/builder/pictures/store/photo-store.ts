/** The photos in the store: their pictures, failures and due times. */
import type { DatabaseSync } from 'node:sqlite'
import type { PreviewPicture } from '../../../domain/pages/sharing.ts'
import type { Picture } from '../../../domain/photos/picture.ts'
import { listTexts } from '../../state/sqlite/values.ts'
import type { Validators } from '../photos/fetch-photo.ts'
import type { PhotoQueue } from './photo-queue.ts'
import { createPhotoQueue } from './photo-queue.ts'
import type { PictureChangeStore } from './picture-changes.ts'
import { PREVIEW_RECIPE, RECIPE } from '../photos/recipe.ts'

export interface StoredFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface KeptPicture {
  readonly picture: Picture
  /** The files of the picture and of the preview. */
  readonly files: readonly StoredFile[]
  /** `null` if no preview was requested. `preview` is `null` if the photo is unfit for a preview. */
  readonly previewed: { readonly preview: PreviewPicture | null } | null
  readonly source: string
  readonly validators: Validators
  readonly due: number
}

interface PhotoFailure {
  readonly reason: string
  /**
   * Hash of the bytes that could not be used; empty if no bytes arrived. Ignored for a photo that has a picture: the
   * store keeps the hash of the bytes of that picture.
   */
  readonly source: string
  readonly due: number
}

export interface PhotoStore extends PhotoQueue {
  /** Returns, by address, why the last try failed. A photo whose last try did not fail has no entry. */
  findFailures(addresses: readonly string[]): ReadonlyMap<string, string>
  /**
   * Stores the picture of a photo with its files. If the picture or its preview differs from the stored one, adds a
   * change for every seller who shows the photo, and returns `true`.
   */
  keepPicture(address: string, kept: KeptPicture): boolean
  keepUnchanged(address: string, due: number): void
  keepFailure(address: string, failure: PhotoFailure): void
  /**
   * Returns the photos of the public folder that have a picture or a failure, each with the hash of the bytes that the
   * picture was made from or that could not be used; empty if there were none.
   */
  readOwn(): readonly { readonly address: string; readonly source: string }[]
  /**
   * Deletes the picture or failure of a photo, and makes the photo due at once. Adds a change for every seller who
   * shows the photo, and returns these sellers.
   */
  renew(address: string): readonly string[]
  markSlow(address: string): void
  /** Returns the sellers whose pages show photos. */
  readUsers(): readonly string[]
  readFile(path: string): Uint8Array | null
  /**
   * Deletes photos that no page shows, except those added by `addUnlisted`; also the pictures for shared links of the
   * deleted sellers `left`, and files that no picture uses. Call `addShown` and `addUnlisted` for all pages first, then
   * `keepShown`. If `accepts` refuses, no picture is deleted. Returns the number of pictures that `accepts` refused to
   * delete, or 0.
   */
  sweep(accepts: (gone: number, before: number) => boolean, left?: readonly string[]): number
}

const AMONG = 'address IN (SELECT value FROM json_each(?))'
const FAILED = `SELECT address, reason FROM photos WHERE reason IS NOT NULL AND ${AMONG}`
const KEEP = `
UPDATE photos SET picture = ?, preview = ?, preview_recipe = ?, source = ?, recipe = ?, etag = ?, modified = ?, due = ?, tries = 0, reason = NULL, slow = 0
WHERE address = ?`
const FAIL = `
UPDATE photos SET tries = tries + 1, reason = ?, due = ?, source = CASE WHEN picture IS NULL THEN ? ELSE source END
WHERE address = ?`
// Addresses of files of the public folder begin with `/`; `0` is the next character, so the range contains no others.
const OWN = `
SELECT address, source FROM photos
WHERE address >= '/' AND address < '0' AND (picture IS NOT NULL OR reason IS NOT NULL)`
const RENEW = `
UPDATE photos SET picture = NULL, preview = NULL, preview_recipe = '', source = '', recipe = '', etag = NULL, modified = NULL, due = 0, tries = 0, reason = NULL, slow = 0
WHERE address = ?`
const UNSHOWN = 'address NOT IN (SELECT address FROM uses) AND address NOT IN (SELECT address FROM unlisted)'
const COUNT_UNSHOWN = `
SELECT count(*) AS held, count(*) FILTER (WHERE ${UNSHOWN}) AS gone FROM photos WHERE picture IS NOT NULL`
const DROP_SOCIALS = 'DELETE FROM socials WHERE seller IN (SELECT value FROM json_each(?))'
const SWEEP = `
DELETE FROM files WHERE path NOT IN (SELECT path FROM socials) AND path NOT IN (
  SELECT json_extract(source.value, '$.path') FROM photos, json_each(photos.picture, '$.sources') AS source)
AND path NOT IN (
  SELECT json_extract(source.value, '$.path') FROM photos, json_each(photos.preview, '$.sources') AS source)
AND path NOT IN (SELECT json_extract(picture, '$.fallback') FROM photos WHERE picture ->> '$.fallback' IS NOT NULL)
AND path NOT IN (SELECT json_extract(preview, '$.path') FROM photos WHERE preview IS NOT NULL)`

export function createPhotoStore(database: DatabaseSync, changes: PictureChangeStore): PhotoStore {
  return {
    ...createPhotoQueue(database),
    findFailures: (addresses) => {
      const rows = database.prepare(FAILED).all(JSON.stringify(addresses))
      return new Map(rows.map((row) => [String(row['address']), String(row['reason'])]))
    },
    keepPicture: (address, kept) => keepPicture(database, { address, kept, changes }),
    keepUnchanged: (address, due) => {
      database
        .prepare('UPDATE photos SET due = ?, tries = 0, reason = NULL WHERE address = ?')
        .run(due, address)
    },
    keepFailure: (address, { reason, source, due }) => {
      database.prepare(FAIL).run(reason, due, source, address)
    },
    readOwn: () =>
      database
        .prepare(OWN)
        .all()
        .map((row) => ({ address: String(row['address']), source: String(row['source']) })),
    renew: (address) => {
      database.prepare(RENEW).run(address)
      changes.addPhotoChange(address)
      return listTexts(database.prepare('SELECT seller FROM uses WHERE address = ?'), address)
    },
    markSlow: (address) => {
      database.prepare('UPDATE photos SET slow = 1 WHERE address = ?').run(address)
    },
    readUsers: () => listTexts(database.prepare('SELECT DISTINCT seller FROM uses ORDER BY seller')),
    readFile: (path) => {
      const bytes = database.prepare('SELECT bytes FROM files WHERE path = ?').get(path)?.['bytes']
      return bytes instanceof Uint8Array ? bytes : null
    },
    sweep: (accepts, left = []) => {
      database.exec(`DELETE FROM photos WHERE picture IS NULL AND ${UNSHOWN}`)
      const row = database.prepare(COUNT_UNSHOWN).get()
      const [gone, before] = [Number(row?.['gone']), Number(row?.['held'])]
      if (gone > 0 && !accepts(gone, before)) return gone
      database.exec(`DELETE FROM photos WHERE ${UNSHOWN}`)
      database.prepare(DROP_SOCIALS).run(JSON.stringify(left))
      database.exec(SWEEP)
      return 0
    },
  }
}

interface Keeping {
  readonly address: string
  readonly kept: KeptPicture
  readonly changes: PictureChangeStore
}

function keepPicture(database: DatabaseSync, { address, kept, changes }: Keeping): boolean {
  const { previewed, source, validators, due } = kept
  const picture = JSON.stringify(kept.picture)
  const preview = previewed?.preview ? JSON.stringify(previewed.preview) : null
  const before = database.prepare('SELECT picture, preview FROM photos WHERE address = ?').get(address)
  const put = database.prepare('INSERT OR IGNORE INTO files VALUES (?, ?)')
  for (const { path, bytes } of kept.files) put.run(path, bytes)
  const previewRecipe = previewed === null ? '' : PREVIEW_RECIPE
  database
    .prepare(KEEP)
    .run(picture, preview, previewRecipe, source, RECIPE, validators.etag, validators.modified, due, address)
  const isNew = before?.['picture'] !== picture || before['preview'] !== preview
  if (isNew) changes.addPhotoChange(address)
  return isNew
}
