/**
 * Detects that the code changed while a builder runs, because that builder would publish new code with pages of the old
 * code.
 */
import { hashManifest, readManifest } from '../../state/manifest.ts'

const CODE = [
  'src',
  'functions',
  'public',
  'astro.config.mjs',
  'package-lock.json',
  'package.json',
  'wrangler.jsonc',
] as const

/** The project's code has changed. The builder must end, so that a service manager starts it with the new code. */
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
        'The code of this project changed: the builder ends, and must be started again.',
      )
  }
}
