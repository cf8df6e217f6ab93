/** The pictures that a page refers to: product photos in several sizes, and the picture in the page's link preview. */

export type Picture = {
  /** MIME type; `null` if the edge resizes the photo and chooses the format for each browser. */
  readonly type: string | null
  /** All sizes have the same crop and aspect ratio. */
  readonly sources: readonly PictureSource[]
  /**
   * Path of a JPEG for browsers that do not support `type`. Absent if `type` is `null`, in the large picture of a
   * product's page, and in pictures made by an earlier version.
   */
  readonly fallback?: string
  /**
   * Index of the placeholder colour in `TONES`, shown while the photo loads; `null` for a photo with transparency, or
   * if the edge resizes the photo.
   */
  readonly tone: number | null
}

export type PictureSource = { readonly path: string; readonly width: number }

export type CataloguePictures = {
  /** Pictures by the photo's address. A photo without an entry is shown from its original address. */
  readonly photos: ReadonlyMap<string, Picture>
  /** Path of the picture in the page's link preview; `null` for none. */
  readonly social: string | null
}

export const NO_PICTURES: CataloguePictures = { photos: new Map(), social: null }

/** Folders of the picture files, whose names contain hashes of their content. */
export const PHOTO_FOLDER = 'fotos/'
export const SOCIAL_FOLDER = 'social/'
