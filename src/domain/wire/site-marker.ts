/** The marker of a site, a public file that says which run made it and whether that run has ended. */
import * as v from 'valibot'
import { parseJson } from '../documents/json.ts'

/** Path of the marker in the site. */
export const MARKER = 'estado.json'

const COUNT = v.pipe(v.number(), v.safeInteger())

export const SITE_MARKER = v.object({
  /** Identifies the run. */
  run: v.string(),
  /** `open` while the run works, and after it was cut off. */
  state: v.picklist(['open', 'closed']),
  /** When the marker was written, in RFC 3339. For people: nothing is decided by it. */
  time: v.string(),
  /** Hash of the inputs that the renderer was compiled from. */
  renderer: v.string(),
  sellers: COUNT,
  products: COUNT,
  /** Number of products of the seller who has most. */
  largest: COUNT,
})

export type SiteMarker = Readonly<v.InferOutput<typeof SITE_MARKER>>

export function formatMarker(marker: SiteMarker): string {
  return `${JSON.stringify(marker)}\n`
}

/** Returns `null` if the text is not a marker. */
export function parseMarker(text: string): SiteMarker | null {
  const value = parseJson(text)
  return v.is(SITE_MARKER, value) ? value : null
}
