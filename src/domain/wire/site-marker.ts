/** The marker of a site, a public file that says which run made it and whether that run has ended. */
import { isRecord, parseJson } from '../documents/json.ts'

/** Path of the marker in the site. */
export const MARKER = 'estado.json'

export interface SiteMarker {
  /** Identifies the run. */
  readonly run: string
  /** `open` while the run works, and after it was cut off. */
  readonly state: 'open' | 'closed'
  /** When the marker was written, in RFC 3339. For people: nothing is decided by it. */
  readonly time: string
  /** Hash of the inputs that the renderer was compiled from. */
  readonly renderer: string
  readonly sellers: number
  readonly products: number
  /** Number of products of the seller who has most. */
  readonly largest: number
}

export function formatMarker(marker: SiteMarker): string {
  return `${JSON.stringify(marker)}\n`
}

/** Returns `null` if the text is not a marker. */
export function parseMarker(text: string): SiteMarker | null {
  const value = parseJson(text)
  return isMarker(value) ? value : null
}

export function isMarker(value: unknown): value is SiteMarker {
  return (
    isRecord(value) &&
    (value['state'] === 'open' || value['state'] === 'closed') &&
    ['run', 'time', 'renderer'].every((name) => typeof value[name] === 'string') &&
    ['sellers', 'products', 'largest'].every((name) => Number.isSafeInteger(value[name]))
  )
}
