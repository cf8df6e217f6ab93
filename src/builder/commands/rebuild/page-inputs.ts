/** Reads the inputs of pages besides documents and pictures: settings, code, public files and the runtime. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import type { Json } from '../../../domain/documents/json.ts'
import { mapSwitches, PAGE_SWITCHES } from '../../../domain/documents/page-switches.ts'
import { formatPictureFacts } from '../../../domain/photos/picture-facts.ts'
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
  const { site, maxProducts, keepsPages, isSearched } = configuration
  const settings = listSettings(configuration)
  let code: string | null = null
  return () => {
    const basis = readBasis(ROOT, settings, isFull && code === null ? null : NOTED_HASHES)
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

/** Returns the settings that change pages, by the names of their environment variables. */
function listSettings({
  site,
  maxProducts,
  keepsPages,
  isSearched,
  photos,
}: Configuration): Readonly<Record<string, Json>> {
  const switches = Object.values(mapSwitches((name) => [PAGE_SWITCHES[name].variable, site[name]]))
  return {
    ...Object.fromEntries(switches),
    SITE_NAME: site.name,
    SITE_URL: site.url,
    ACCESS_URL: site.accessUrl,
    MAX_PRODUCTS: maxProducts,
    OFFLINE: keepsPages,
    VITRINA_ENV: isSearched ? 'production' : 'second site',
    PHOTOS: formatPictureFacts(photos),
  }
}

function formatCode(files: Manifest): string {
  return JSON.stringify(Object.entries(files).filter(([path]) => !path.startsWith('public/')))
}
