/** The settings of pictures on which the data of pages depends. */
import type { PhotoHosts } from './photo-hosts.ts'

export interface PictureFacts {
  /** The setting `PHOTOS`: pictures are made by a builder, by the edge, or not at all. */
  readonly mode: 'files' | 'service' | 'off'
  /** Hosts that photos may be fetched from. */
  readonly hosts: PhotoHosts
}
