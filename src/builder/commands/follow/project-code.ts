/**
 * Detects that the code or a public file changed while a builder or a watch runs, because its process has the old code
 * loaded: it would publish new code with pages of the old code.
 */
import { hashManifest, readManifest } from '../../state/manifest.ts'
import { WORKER_ENTRY } from '../../state/project-folder.ts'

const CODE = [
  'src',
  WORKER_ENTRY,
  'public',
  'astro.config.mjs',
  'package-lock.json',
  'package.json',
  'wrangler.jsonc',
] as const

/** The project's code has changed. The command must end, so that it is started with the new code. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError'
}

/** Returns a check that throws an `OutdatedError` if the project's code has changed since this call. */
export function watchCode(root: string): () => void {
  const read = (): string => hashManifest(Object.assign({}, ...CODE.map((path) => readManifest(root, path))))
  const first = read()
  return () => {
    if (read() !== first)
      throw new OutdatedError(
        'The code of this project changed: this command ends, and must be started again.',
      )
  }
}
