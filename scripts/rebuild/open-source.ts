/** Opens the source that is configured; the default database is there on first use. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Configuration } from '../../src/rebuild/configuration.ts'
import { DEFAULT_SOURCE } from '../../src/rebuild/configuration.ts'
import type { Source } from '../../src/sources/source.ts'
import { openSource } from '../../src/sources/sources.ts'
import { ROOT } from '../support/root.ts'

const SAMPLE = join(ROOT, 'src/sources/sample')

/** `folder` is where the default database is made, from the sample. Any other that is named must be there already. */
export async function openConfigured(
  { source: name, firestore }: Configuration,
  folder: string,
): Promise<Source> {
  if (name !== DEFAULT_SOURCE || existsSync(name)) return openSource(name, firestore)
  const { ensureSample } = await import('../../src/sources/bundled-sample.ts')
  const file = join(folder, name)
  await ensureSample(file, SAMPLE)
  return openSource(file)
}
