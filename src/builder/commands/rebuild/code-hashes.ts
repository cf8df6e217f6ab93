/** Hashes the code that affects pages but is not part of the compiled renderer. The bundler finds the modules. */
import { fileURLToPath } from 'node:url'
import type { CodeHashes } from '../../rebuild/world.ts'
import { readRuntime } from '../../renderer/fingerprint.ts'
import { hashBytes } from '../../state/manifest.ts'

interface HashedCode {
  readonly hashes: CodeHashes
  /** Ids of the hashed modules; the id of a file is its path. */
  readonly files: readonly string[]
}

/** Defined by `bundle-command.ts`, because a bundle contains the hashes of its own code. */
declare const BUNDLED_CODE_HASHES: CodeHashes | undefined

let hashed: Promise<HashedCode> | undefined

/**
 * Returns the hashes. Outside a bundle they are computed once per process, in about half a second. The hash `intake`
 * includes the version of Node, because Node's parsing of addresses and text may change.
 */
export async function readCodeHashes(): Promise<CodeHashes> {
  const isBundled = typeof BUNDLED_CODE_HASHES !== 'undefined'
  const hashes = isBundled ? BUNDLED_CODE_HASHES : (await (hashed ??= hashCode())).hashes
  return { ...hashes, intake: hashBytes(`${hashes.intake} ${readRuntime()}`) }
}

/** Hashes the code alone, because another version of Node than that of this process may run a bundle. */
export async function hashCode(): Promise<HashedCode> {
  const [intake, pageData, rendering] = await Promise.all([
    bundle('intake-code.ts'),
    bundle('page-data-code.ts'),
    bundle('rendering-code.ts'),
  ])
  return {
    hashes: {
      intake: hashBytes(intake.code),
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
