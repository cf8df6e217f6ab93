/** What plain `astro build` does beyond compiling: it keeps the renderer and brings the whole site into `dist/`. */
import { hashManifest } from '../state/manifest.ts'
import { fileURLToPath } from 'node:url'
import { COMPILE_ONLY, keepRenderer } from '../renderer/compile.ts'
import { readInputManifest } from '../renderer/fingerprint.ts'
import { runNode, VITRINA } from './run-node.ts'
import { ROOT, STORE } from '../state/project-folder.ts'

/** A rebuild that compiles takes the renderer itself: then nothing more is to be done. */
export async function finishAstroBuild(compiled: URL): Promise<void> {
  if (process.env[COMPILE_ONLY] !== undefined) return
  keepRenderer(STORE, hashManifest(readInputManifest(ROOT)), fileURLToPath(compiled).replace(/\/$/, ''))
  const code = await runNode([VITRINA, 'rebuild'])
  if (code !== 0) throw new Error(`the rebuild that follows the compile ended with exit code ${code}`)
}
