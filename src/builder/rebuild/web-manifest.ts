/** The web manifest: the file of the public folder with the name of the site. */
import { isRecord } from '../../domain/documents/json.ts'
import { UsageError } from '../state/usage-error.ts'

export const WEB_MANIFEST = 'manifest.webmanifest'

/** Throws a `UsageError` if the file is not a JSON object. */
export function formatWebManifest(file: Uint8Array, name: string): string {
  const manifest = parse(new TextDecoder().decode(file))
  if (!isRecord(manifest)) throw new UsageError(`public/${WEB_MANIFEST} is not a JSON object: correct it.`)
  return `${JSON.stringify({ ...manifest, name, short_name: name }, null, 2)}\n`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Reported as a file that is not an object.
    return null
  }
}
