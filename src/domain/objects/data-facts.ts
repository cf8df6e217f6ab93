/** The settings and the files of the public folder that object data depends on. */
import type { Json } from '../documents/json.ts'
import type { PhotoHosts } from '../photos/photo-hosts.ts'

export interface PictureFacts {
  /** The setting `PHOTOS`: pictures are made by a builder, by the edge, or not at all. */
  readonly mode: 'files' | 'service' | 'off'
  /** Hosts that photos may be fetched from. */
  readonly hosts: PhotoHosts
  /** True if builders also make previews: pictures for the link previews of product pages. */
  readonly makesPreviews: boolean
}

export interface DataFacts {
  /** Max products shown per seller. */
  readonly maxProducts: number
  /**
   * Paths of files in the public folder. A product's photo is dropped if it is a path of the site and its file is not
   * listed here.
   */
  readonly publicFiles: readonly string[]
  readonly pictures: PictureFacts
}

/** Returns the settings of pictures that object data depends on in this mode, as a JSON value. */
export function formatPictureFacts({ mode, hosts: { names, origins }, makesPreviews }: PictureFacts): Json {
  if (mode === 'off') return { mode }
  const hosts = [...names, ...origins]
  return mode === 'service' ? { mode, hosts } : { mode, hosts, makesPreviews }
}
