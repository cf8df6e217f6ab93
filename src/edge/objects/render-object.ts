/**
 * Renders a seller's catalogue, and makes the bytes of her object from the data and this page. Product pages are
 * rendered when they are viewed.
 */
import { digestText } from '../../domain/objects/digest.ts'
import type { SellerData } from '../../domain/objects/object-data.ts'
import { createCataloguePage, FORMAT, formatObjectData } from '../../domain/objects/object-data.ts'
import type { EdgeRenderer } from './edge-renderer.ts'
import type { ObjectNotes } from './object-notes.ts'
import { formatNotes, GONE } from './object-notes.ts'
import type { SeenObject } from './object-store.ts'
import { formatPageObject, formatTombstone } from './page-object.ts'

interface ObjectRendering {
  /** Version of the new object, from `findNextVersion`. */
  readonly version: number
  /**
   * Hash of the code that made the data from the documents, and of everything else that the data depends on, except the
   * documents.
   */
  readonly intake: string
  readonly renderer: EdgeRenderer
}

export interface ObjectParts {
  readonly bytes: Uint8Array
  readonly notes: SeenObject['notes']
}

/** Rejects if the page cannot be rendered. */
export async function renderObject(data: SellerData, options: ObjectRendering): Promise<ObjectParts> {
  const { version, intake, renderer } = options
  const { code, policy } = renderer
  const html = await renderer.render(createCataloguePage(data))
  const text = formatObjectData(data)
  const etag = await createEtag(html)
  const { bytes, start } = formatPageObject(
    { version, format: FORMAT, intake, code, policy, etag },
    text,
    html,
  )
  const notes: ObjectNotes = { version, digest: await digestText(text), intake, start, ...countData(data) }
  return { bytes, notes: formatNotes(notes) }
}

export function createTombstone(version: number): ObjectParts {
  return { bytes: formatTombstone({ version }), notes: formatNotes({ ...GONE, version }) }
}

export function countData(data: SellerData): Pick<ObjectNotes, 'products' | 'hasProfile' | 'updated'> {
  const { catalogue, hasProfile, updated } = data
  return { products: catalogue.products.length, hasProfile, updated }
}

/**
 * Returns the hash of the page for the header `ETag`. Equal pages have equal hashes, so browsers keep their copy of a
 * page after a put that does not change it.
 */
export async function createEtag(html: string): Promise<string> {
  return (await digestText(html)).slice(0, 32)
}
