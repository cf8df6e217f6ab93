/** The settings of pictures on which the data of pages depends. */
import type { Json } from '../documents/json.ts'
import type { PhotoHosts } from './photo-hosts.ts'

export interface PictureFacts {
  /** The setting `PHOTOS`: pictures are made by a builder, by the edge, or not at all. */
  readonly mode: 'files' | 'service' | 'off'
  /** Hosts that photos may be fetched from. */
  readonly hosts: PhotoHosts
}

/** Returns the settings of pictures on which the data of pages depends in this mode, as a JSON value. */
export function formatPictureFacts({ mode, hosts: { names, origins } }: PictureFacts): Json {
  return mode === 'off' ? { mode } : { mode, hosts: [...names, ...origins] }
}
