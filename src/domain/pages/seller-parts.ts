/** The parts of a seller that her pages are made from. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { CataloguePictures } from '../photos/picture.ts'
import type { PreviewPicture } from './sharing.ts'

/** The parts of a seller's data that her pages are made from. */
export type SellerParts = {
  readonly catalogue: Catalogue
  readonly pictures: CataloguePictures
  /** By the photo's address: the picture in link previews of a product with this photo. */
  readonly previews: Readonly<Record<string, PreviewPicture>>
}
