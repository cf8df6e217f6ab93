/** Reads the marker of the live site through the Worker's own files. */
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { MARKER, parseMarker } from '../../domain/wire/site-marker.ts'

/** The Worker's binding to the files of its site: static assets, or a bucket. */
export type SiteFiles =
  | { readonly ASSETS: { fetch(request: Request): Promise<Response> } }
  | { readonly FILES: { get(key: string): Promise<{ text(): Promise<string> } | null> } }

/** Returns `null` if the site has no marker. Throws if its files cannot be read. */
export async function readLive(files: SiteFiles): Promise<SiteMarker | null> {
  if ('FILES' in files) {
    const file = await files.FILES.get(MARKER)
    return file === null ? null : parseMarker(await file.text())
  }
  const response = await files.ASSETS.fetch(new Request(`https://site/${MARKER}`))
  const text = await response.text()
  if (response.status === 200) return parseMarker(text)
  if (response.status === 404) return null
  throw new Error(`the marker of the live site cannot be read: status ${response.status}`)
}
