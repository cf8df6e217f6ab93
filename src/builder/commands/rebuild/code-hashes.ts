/** Hashes of this project's code that shapes pages without being compiled into the renderer, by the bundler's module graph. */
import { fileURLToPath } from 'node:url'
import type { CodeHashes } from '../../rebuild/world.ts'
import { readRuntime } from '../../renderer/fingerprint.ts'
import { hashBytes } from '../../state/manifest.ts'

export interface HashedCode {
  readonly hashes: CodeHashes
  /** The project's files that went in. */
  readonly files: readonly string[]
}

/** Put in place by `bundle-command.ts`: a bundle knows the code that it was made with. */
declare const BUNDLED_CODE_HASHES: CodeHashes | undefined

let hashed: Promise<HashedCode> | undefined

/** Not bundled, a process finds them out once: that takes about half a second. */
export async function readCodeHashes(): Promise<CodeHashes> {
  if (typeof BUNDLED_CODE_HASHES !== 'undefined') return BUNDLED_CODE_HASHES
  hashed ??= hashCode()
  return (await hashed).hashes
}

export async function hashCode(): Promise<HashedCode> {
  const [intake, pageData, rendering] = await Promise.all([
    bundle('intake-code.ts'),
    bundle('page-data-code.ts'),
    bundle('rendering-code.ts'),
  ])
  return {
    hashes: {
      // Node too, for how it reads addresses and text.
      intake: hashBytes(`${intake.code} ${readRuntime()}`),
      pageData: hashBytes(pageData.code),
      rendering: hashBytes(rendering.code),
    },
    files: [intake, pageData, rendering].flatMap(({ modules }) => modules),
  }
}

async function bundle(entry: string): Promise<{ code: string; modules: readonly string[] }> {
  const { bundleText } = await import('../../renderer/bundle-text.ts')
  return bundleText({
    input: fileURLToPath(new URL(`code/${entry}`, import.meta.url)),
    runsIn: 'server',
  })
}
