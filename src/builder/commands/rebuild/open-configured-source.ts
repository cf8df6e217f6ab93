/** Opens the configured source. The default database is created from the sample on first use. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ShrinkError } from '../../rebuild/shrink-guard.ts'
import type { Source } from '../../sources/source.ts'
import { openSource } from '../../sources/source-kinds.ts'
import { ROOT } from '../../files/project-folder.ts'
import type { Configuration } from '../configuration.ts'
import { DEFAULT_SOURCE } from '../settings.ts'

const SAMPLE = join(ROOT, 'src/builder/sources/sample')

interface OpenOptions {
  /** True if no file may be created: a missing default database is then read from the sample. */
  readonly isExplained?: boolean
  /** False if a missing default database is an error, because there is a site, which the sample would replace. */
  readonly mayCreate?: boolean
}

export async function openConfigured(
  { source: name, firestore }: Pick<Configuration, 'source' | 'firestore'>,
  { isExplained = false, mayCreate = true }: OpenOptions = {},
): Promise<Source> {
  if (name !== DEFAULT_SOURCE || existsSync(name)) return openSource(name, { firestore })
  if (!mayCreate)
    throw new ShrinkError(
      `${DEFAULT_SOURCE} is missing, and the sample would replace the present site. Nothing was changed. ` +
        `Restore ${DEFAULT_SOURCE} from a backup, or make it with npm run import -- <folder> ${DEFAULT_SOURCE}. ` +
        'To replace the site with the sample, run again with --allow-shrink.',
    )
  if (isExplained) return openSource(SAMPLE)
  const { importFolder } = await import('../../sources/embedded/interchange.ts')
  await importFolder(SAMPLE, name)
  return openSource(name)
}
