/** Reads the inputs of pages besides documents and pictures: settings, code, public files and the runtime. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { hashCompileInputs, listPublicFiles, readBasis } from '../../rebuild/basis.ts'
import type { PageInputs } from '../../rebuild/world.ts'
import type { Manifest } from '../../files/file-hashes.ts'
import { NOTED_HASHES, ROOT } from '../../files/project-folder.ts'
import type { Configuration } from '../configuration.ts'

/** The project's code has changed. The command must end, so that it is started with the new code. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError'
}

/**
 * Returns a function that reads the inputs as they are. It throws an `OutdatedError` if any code differs from its first
 * call, because this process has loaded the earlier code. With `isFull`, the first call reads every file, also those
 * whose times are unchanged.
 */
export function createInputReader(configuration: Configuration, isFull: boolean): () => PageInputs {
  const { site, maxProducts, keepsPages, isSearched, pageSettings } = configuration
  let code: string | null = null
  return () => {
    const basis = readBasis(ROOT, pageSettings, isFull && code === null ? null : NOTED_HASHES)
    const now = formatCode(basis.files)
    if (now !== (code ??= now))
      throw new OutdatedError(
        'The code of this project changed: this command ends, and must be started again.',
      )
    return {
      basis,
      code: hashCompileInputs(basis.files),
      site,
      maxProducts,
      keepsPages,
      isSearched,
      publicFiles: listPublicFiles(basis.files),
      readPublicFile: (path) => readFileSync(join(ROOT, 'public', path)),
    }
  }
}

/** Returns the bytes of a file in the public folder; `null` if there is no such file. */
export function readPublicFile(path: string): Uint8Array | null {
  const file = resolve(ROOT, 'public', path)
  return file.startsWith(resolve(ROOT, 'public') + sep) && existsSync(file) ? readFileSync(file) : null
}

function formatCode(files: Manifest): string {
  return JSON.stringify(Object.entries(files).filter(([path]) => !path.startsWith('public/')))
}
