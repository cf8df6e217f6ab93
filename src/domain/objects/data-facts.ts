/** The inputs of object data other than documents and code: settings, and files of the public folder. */
import type { Json } from '../documents/json.ts'
import type { PhotoHosts } from '../photos/photo-hosts.ts'

export interface PictureFacts {
  /** The setting `PHOTOS`: pictures are made by a builder, by the edge, or not at all. */
  readonly mode: 'files' | 'service' | 'off'
  /** Hosts that photos may be fetched from. */
  readonly hosts: PhotoHosts
  /** True if each photo also has a preview: the picture in the link preview of its product's page. */
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
