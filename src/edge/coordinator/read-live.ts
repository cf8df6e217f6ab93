/** Reads the marker of the live site through the Worker's own files. */
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { MARKER, parseMarker } from '../../domain/wire/site-marker.ts'

/** The Worker's binding to the files of its site. */
export interface SiteFiles {
  readonly ASSETS: { fetch(request: Request): Promise<Response> }
}

/** Returns `null` if the site has no marker. Throws if its files cannot be read. */
export async function readLive({ ASSETS }: SiteFiles): Promise<SiteMarker | null> {
  const response = await ASSETS.fetch(new Request(`https://site/${MARKER}`))
  const text = await response.text()
  if (response.status === 200) return parseMarker(text)
  if (response.status === 404) return null
  throw new Error(`the marker of the live site cannot be read: status ${response.status}`)
}
