/** The small file that tells whether the output folder is the one that the record describes. */
import type { Output } from './output.ts'
import type { SiteRecord } from './record.ts'

/** Not uploaded: `.assetsignore` names it. */
export const MARKER = '.vitrina'

/** `foreign`: the folder holds files, but nothing says that they are ours to replace. */
export type Trust = 'trusted' | 'other' | 'empty' | 'foreign'

export function readTrust(output: Output, record: SiteRecord): Trust {
  const marker = readMarker(output)
  if (marker !== null) return record.readMarkers().includes(marker) ? 'trusted' : 'other'
  return output.list().length === 0 ? 'empty' : 'foreign'
}

/** Says that a first run has begun, so that the folder is known as ours even if the run is cut off. */
export function writeFirstMarker(output: Output): void {
  output.write(MARKER, 'unfinished\n')
}

/** Says that the folder holds just what the record says. Nothing is written when it says so already. */
export function writeMarker(output: Output, record: SiteRecord): void {
  const digest = record.readDigest()
  if (readMarker(output) === digest && record.readMarkers().join() === digest) return
  record.writeMarkers([...record.readMarkers(), digest])
  output.write(MARKER, `${digest}\n`)
  record.writeMarkers([digest])
}

function readMarker(output: Output): string | null {
  const bytes = output.read(MARKER)
  return bytes === null ? null : new TextDecoder().decode(bytes).trim()
}
