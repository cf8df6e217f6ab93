/** Reads and writes the marker file that ties the output folder to the record. */
import { hashBytes } from '../manifest.ts'
import type { Output } from './output.ts'
import type { SiteRecord } from '../record/record.ts'

/** Path of the marker file, which `.assetsignore` excludes from the upload. */
export const IDENTITY_FILE = '.vitrina'

const HOME_FILE = 'index.html'

/**
 * `trusted`: the record describes the folder. `other`: a rebuild wrote the folder, but the record may not describe it.
 * `empty`: the folder has no files. `foreign`: the folder has files, and nothing shows that a rebuild wrote them.
 */
export type OutputTrust = 'trusted' | 'other' | 'empty' | 'foreign'

export function readOutputTrust(output: Output, record: SiteRecord): OutputTrust {
  const isSound = output.isSound()
  const marker = readMarker(output)
  if (marker !== null) return isSound && record.readMarkers().includes(marker) ? 'trusted' : 'other'
  if (output.list().length === 0) return 'empty'
  return holdsHome(output, record) ? 'other' : 'foreign'
}

// Recognizes this site's folder by its home page: the folder may have been copied without hidden files, and thus
// without its marker.
function holdsHome(output: Output, record: SiteRecord): boolean {
  const bytes = output.read(HOME_FILE)
  return bytes !== null && record.findDigest(HOME_FILE) === hashBytes(bytes)
}

/**
 * Protocol state `begun`. Writes the marker of this run, which identifies the folder as this site's even after a crash.
 */
export function beginOutputIdentity(output: Output, record: SiteRecord, run: string): void {
  replaceMarker(output, record, `run ${run}`)
}

/** Protocol state `ended`. Writes the digest of the record as the marker, unless it is already there. */
export function writeOutputIdentity(output: Output, record: SiteRecord): void {
  const digest = record.readDigest()
  if (readMarker(output) === digest && record.readMarkers().join() === digest) return
  replaceMarker(output, record, digest)
}

// The record accepts the old and the new marker while the file is replaced, because an interruption may leave either in
// the folder.
function replaceMarker(output: Output, record: SiteRecord, marker: string): void {
  record.writeMarkers([...record.readMarkers(), marker])
  output.write(IDENTITY_FILE, `${marker}\n`)
  record.writeMarkers([marker])
}

function readMarker(output: Output): string | null {
  const bytes = output.read(IDENTITY_FILE)
  return bytes === null ? null : new TextDecoder().decode(bytes).trim()
}
