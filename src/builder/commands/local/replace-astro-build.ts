/** Makes plain `astro build` a rebuild into `dist/`, which compiles the renderer in a process of its own if necessary. */
import { COMPILE_ONLY } from '../../renderer/compile.ts'
import { EXIT } from '../exit-codes.ts'
import { runNode, VITRINA } from '../run-node.ts'

/** Does nothing in a compile that a rebuild started. Otherwise runs a rebuild, and ends the process with its exit code. */
export async function replaceAstroBuild(): Promise<void> {
  if (process.env[COMPILE_ONLY] !== undefined) return
  // Ends the process here, because Astro would compile, and would print a stack trace and end with exit code 1 for
  // every error. The rebuild has already printed its message.
  process.exit((await runNode([VITRINA, 'rebuild'])) ?? EXIT.unfinished)
}
