/** The compiled renderer of the site under test. */
import { findRenderer } from '../../../src/builder/renderer/compile.ts'
import { readInputManifest } from '../../../src/builder/renderer/fingerprint.ts'
import { hashManifest } from '../../../src/builder/state/manifest.ts'
import { STORE } from '../../../src/builder/state/project-folder.ts'
import { ROOT } from './rebuild.ts'

/** Returns the folder of the server bundle. React is loaded as in production from then on. */
export function findSampleServer(): string {
  process.env['NODE_ENV'] = 'production'
  const kept = findRenderer(STORE, hashManifest(readInputManifest(ROOT)))
  if (kept === null) throw new Error('the site under test was built from other code')
  return kept.server
}
