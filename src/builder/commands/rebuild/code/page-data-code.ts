/**
 * The code that turns the snapshot's entries and pictures into the data of pages. Bundled only to be hashed, never run.
 */
export { createPictureFinder } from '../../../../domain/pages/find-pictures.ts'
export { createStorelessPictures } from '../../../pictures/pictures.ts'
export { createPictureReads } from '../../../pictures/store/picture-reads.ts'
export { createFixedSources, createSitemapSources } from '../../../rebuild/plan/page-sources.ts'
export { readSellerPage } from '../../../rebuild/plan/seller-pages.ts'
export { createProductLimit } from '../../../state/snapshot/limit-products.ts'
export { createReads } from '../../../state/snapshot/snapshot-reads.ts'
