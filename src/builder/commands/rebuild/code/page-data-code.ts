/** The code that turns entries and pictures into the data of pages. An entry for the bundler, never imported. */
export { findServicePicture } from '../../../pictures/open-pictures.ts'
export { createStorelessPictures } from '../../../pictures/pictures.ts'
export { createPictureReads } from '../../../pictures/store/picture-reads.ts'
export { findHome, findPictures, findPreview } from '../../../pictures/stored-pictures.ts'
export { readObjectData } from '../../../rebuild/object-data.ts'
export { createBucketSource, createFixedSources } from '../../../rebuild/page-sources.ts'
export { createSellerPage } from '../../../rebuild/seller-pages.ts'
export { createReads } from '../../../state/snapshot/snapshot-reads.ts'
