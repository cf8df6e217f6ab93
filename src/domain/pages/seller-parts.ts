/** The data that a seller's pages are made from. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { CataloguePictures } from '../photos/picture.ts'
import type { PreviewPicture } from './sharing.ts'

export type SellerParts = {
  readonly catalogue: Catalogue
  readonly pictures: CataloguePictures
  /** The pictures in link previews of products, by the address of the product's photo. */
  readonly previews: Readonly<Record<string, PreviewPicture>>
}
