/** The settings of a site in tests, with the kinds of pages that are usual. */
import { mapSwitches } from '../../src/domain/documents/page-switches.ts'
import type { Site } from '../../src/domain/pages/site.ts'

export function createSite(changes: Partial<Site> = {}): Site {
  const usual = mapSwitches((_, entry) => entry.usual === 'on')
  return { name: 'Vitrina', url: 'http://localhost:8787', accessUrl: null, ...usual, ...changes }
}
