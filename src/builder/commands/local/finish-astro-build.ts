/** After the compile of plain `astro build`: keeps the renderer and runs a rebuild into `dist/`. */
import { hashManifest } from '../../state/manifest.ts'
import { fileURLToPath } from 'node:url'
import { COMPILE_ONLY, keepRenderer } from '../../renderer/compile.ts'
import { readInputManifest } from '../../renderer/fingerprint.ts'
import { EXIT } from '../exit-codes.ts'
import { runNode, VITRINA } from '../run-node.ts'
import { ROOT, STORE } from '../../state/project-folder.ts'

/**
 * Does nothing if a rebuild started the compile, because that rebuild keeps the renderer itself. Otherwise keeps the
 * renderer and runs a rebuild. Ends the process if this rebuild fails.
 */
export async function finishAstroBuild(compiled: URL): Promise<void> {
  if (process.env[COMPILE_ONLY] !== undefined) return
  keepRenderer(STORE, hashManifest(readInputManifest(ROOT)), fileURLToPath(compiled).replace(/\/$/, ''))
  const code = await runNode([VITRINA, 'rebuild'])
  // Ends the process here, because Astro would print a stack trace and end with exit code 1 for every error. The
  // rebuild has already printed its message.
  if (code !== 0) process.exit(code ?? EXIT.unfinished)
}
