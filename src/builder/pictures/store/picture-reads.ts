/** Queries for the pictures in the data of pages: pictures of photos, previews, and pictures for shared links. */
import type { DatabaseSync } from 'node:sqlite'
import type { MadePictures } from '../../../domain/pages/find-pictures.ts'
import type { PreviewPicture } from '../../../domain/pages/sharing.ts'
import type { Picture } from '../../../domain/photos/picture.ts'

interface Social {
  readonly path: string
  /** Hash of the inputs that the picture was drawn from. */
  readonly inputs: string
}

export interface PictureReads extends MadePictures {
  /**
   * Returns the picture for shared links of a seller, or of the home page if `seller` is `HOME`; `null` if it was not
   * drawn yet.
   */
  findSocial(seller: string): Social | null
}

const PICTURES = `
SELECT address, picture FROM json_each(?) CROSS JOIN photos ON address = value WHERE picture IS NOT NULL`

export function createPictureReads(database: DatabaseSync): PictureReads {
  const findPictures = database.prepare(PICTURES)
  const findPreview = database.prepare('SELECT preview FROM photos WHERE address = ? AND preview IS NOT NULL')
  const findSocial = database.prepare('SELECT path, inputs FROM socials WHERE seller = ?')
  return {
    findPictures: (addresses) => {
      const rows = findPictures.all(JSON.stringify(addresses))
      return new Map(rows.map((row) => [String(row['address']), parsePicture(String(row['picture']))]))
    },
    findPreview: (address) => {
      const row = findPreview.get(address)
      return row === undefined ? null : (JSON.parse(String(row['preview'])) as PreviewPicture)
    },
    findSocial: (seller) => {
      const row = findSocial.get(seller)
      return row === undefined ? null : { path: String(row['path']), inputs: String(row['inputs']) }
    },
  }
}

function parsePicture(text: string): Picture {
  return JSON.parse(text) as Picture
}
