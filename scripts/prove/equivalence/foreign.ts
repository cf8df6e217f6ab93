/**
 * Decides whether a run must refuse the output folder as foreign. It is foreign if it has files but no marker, and its
 * home page is missing or not the recorded one.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { hashBytes } from '../../../src/builder/state/manifest.ts'
import { IDENTITY_FILE } from '../../../src/builder/state/output/output-identity.ts'
import type { SitePlace } from '../site/place.ts'
import { findState } from '../site/place.ts'
import { readSite } from '../site/site-files.ts'

const HOME = 'index.html'

/** Returns `perhaps` if the answer depends on a record that exists but cannot be read. */
export function isForeign(place: SitePlace): boolean | 'perhaps' {
  const files = existsSync(place.output) ? readSite(place.output) : new Map<string, Buffer>()
  if (files.size === 0 || files.has(IDENTITY_FILE)) return false
  const home = files.get(HOME)
  if (home === undefined) return true
  const recorded = findRecorded(findState(place, 'record'))
  return recorded === 'perhaps' ? recorded : recorded !== hashBytes(home)
}

function findRecorded(file: string): string | null {
  if (!existsSync(file)) return null
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const row = database.prepare('SELECT digest FROM files WHERE path = ? AND unsure = 0').get(HOME)
      return row === undefined ? null : String(row['digest'])
    } finally {
      database.close()
    }
  } catch {
    return 'perhaps'
  }
}
