/** A product's photo in small sizes, and a seller's picture for shared links, as a page names them. */

export type Picture = {
  /** `null` where the host answers with what the browser takes. */
  readonly type: string | null
  /** Every size shows the same part of the photo, of the same ratio. */
  readonly sources: readonly PictureSource[]
  /** The number of the colour that stands in its place until it comes; `null` when it can be seen through. */
  readonly tone: number | null
}

export type PictureSource = { readonly path: string; readonly width: number }

export type CataloguePictures = {
  /** By the photo's address; of the others the page shows the address itself. */
  readonly photos: Readonly<Record<string, Picture>>
  /** Path of the picture that stands for the page where its link is shared. */
  readonly social: string | null
}

export const NO_PICTURES: CataloguePictures = { photos: {}, social: null }

/** Where their files stand. The names tell what is in them. */
export const PHOTO_FOLDER = 'fotos/'
export const SOCIAL_FOLDER = 'social/'
