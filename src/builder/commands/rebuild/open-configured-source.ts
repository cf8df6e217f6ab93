/** Opens the configured source. The default database is created on first use. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formatId } from '../../../domain/documents/format-id.ts'
import type { Configuration } from '../configuration.ts'
import { DEFAULT_SOURCE } from '../settings.ts'
import { ShrinkError } from '../../rebuild/read/shrink-guard.ts'
import { findSeller } from '../../sources/find-seller.ts'
import type { Source } from '../../sources/source.ts'
import { openSource } from '../../sources/source-kinds.ts'
import { ROOT } from '../../state/project-folder.ts'

const SAMPLE = join(ROOT, 'src/builder/sources/sample')

interface OpenOptions {
  readonly isDry?: boolean
  readonly readSellers?: () => Iterable<string>
}

/**
 * Opens the configured source. Only the default database may be missing: it is then created in `folder` from the
 * sample. Throws a `ShrinkError` instead if `readSellers` yields a seller of the present site that the sample lacks.
 * With `isDry`, an existing source is not changed.
 */
export async function openConfigured(
  { source: name, firestore }: Configuration,
  folder: string,
  { isDry = false, readSellers = () => [] }: OpenOptions = {},
): Promise<Source> {
  if (name !== DEFAULT_SOURCE || existsSync(name)) return openSource(name, { firestore, isDry })
  const { importFolder } = await import('../../sources/embedded/interchange.ts')
  const file = join(folder, name)
  if (!existsSync(file)) {
    await checkSample(readSellers())
    await importFolder(SAMPLE, file)
  }
  return openSource(file)
}

async function checkSample(sellers: Iterable<string>): Promise<void> {
  const sample = new Set<string | null>()
  for await (const item of (await openSource(SAMPLE)).readAll())
    if (item.kind === 'document') sample.add(findSeller(item.document))
  for (const seller of sellers) {
    if (sample.has(seller)) continue
    throw new ShrinkError(
      `${DEFAULT_SOURCE} is missing. The sample would replace the present site and remove sellers such as ${formatId(seller)}. ` +
        `Nothing was changed. Restore ${DEFAULT_SOURCE} from a backup, or make it with npm run import -- <folder> ${DEFAULT_SOURCE}. ` +
        'To replace the site with the sample, run again with --allow-shrink.',
    )
  }
}

interface KeptSource {
  /** Returns the same source each time. Closing the returned source has no effect. */
  open(): Promise<Source>
  close(): void
}

/** Keeps a source open between rebuilds, because opening a connection takes longer than reading a seller. */
export function keepOpen(open: () => Promise<Source>): KeptSource {
  let source: Source | null = null
  return {
    open: async () => ({ ...(source ??= await open()), close: () => {} }),
    close: () => source?.close(),
  }
}
