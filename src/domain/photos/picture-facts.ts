/** The settings of pictures on which the data of pages depends. */
import type { Json } from '../documents/json.ts'
import type { PhotoHosts } from './photo-hosts.ts'

export interface PictureFacts {
  /** The setting `PHOTOS`: pictures are made by a builder, by the edge, or not at all. */
  readonly mode: 'files' | 'service' | 'off'
  /** Hosts that photos may be fetched from. */
  readonly hosts: PhotoHosts
  /** True if builders also make previews: pictures for the link previews of product pages. */
  readonly makesPreviews: boolean
}

/** Returns the settings of pictures on which the data of pages depends in this mode, as a JSON value. */
export function formatPictureFacts({ mode, hosts: { names, origins }, makesPreviews }: PictureFacts): Json {
  if (mode === 'off') return { mode }
  const hosts = [...names, ...origins]
  return mode === 'service' ? { mode, hosts } : { mode, hosts, makesPreviews }
}
