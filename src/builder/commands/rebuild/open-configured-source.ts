/** Opens the configured source. The default database is created on first use. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Configuration } from '../configuration.ts'
import { DEFAULT_SOURCE } from '../configuration.ts'
import type { Source } from '../../sources/source.ts'
import { openSource } from '../../sources/open-source.ts'
import { ROOT } from '../../state/project-folder.ts'

const SAMPLE = join(ROOT, 'src/builder/sources/sample')

/**
 * `folder` is the place of the default database, created from the sample. Other sources must exist. With `isDry` nothing
 * is changed in an existing source.
 */
export async function openConfigured(
  { source: name, firestore }: Configuration,
  folder: string,
  isDry = false,
): Promise<Source> {
  if (name !== DEFAULT_SOURCE || existsSync(name)) return openSource(name, { firestore, isDry })
  const { importFolder } = await import('../../sources/embedded/interchange.ts')
  const file = join(folder, name)
  if (!existsSync(file)) await importFolder(SAMPLE, file)
  return openSource(file)
}
