/** Sites of the bench: their documents on disk, and the commands that import and rebuild them. */
import { existsSync, mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { VITRINA } from '../measure/run-tool.ts'
import { UsageError } from '../../src/builder/files/usage-error.ts'
import { formatNumber } from '../../src/builder/format-numbers.ts'
import type { SourceDocument } from '../../src/domain/documents/document.ts'
import type { MeasuredCommand } from '../measure/run-measured.ts'
import { runMeasured } from '../measure/run-measured.ts'
import { DATA_VERSION, makeSeller } from './made-sellers.ts'

export interface BenchSite {
  readonly sellers: number
  readonly hasProductPages: boolean
  readonly folder: string
  readonly source: string
  readonly output: string
  readonly state: string
}

/** Number of sellers in memory while documents are written. */
const CHUNK = 200

/** Throws if the disk of `folder` has fewer than `needed` free bytes. */
export function requireSpace(folder: string, needed: number): void {
  mkdirSync(folder, { recursive: true })
  const { bavail, bsize } = statfsSync(folder)
  const [free, wanted] = [bavail * bsize, needed].map((bytes) => `${(bytes / 2 ** 30).toFixed(1)} GB`)
  if (bavail * bsize >= needed) return
  throw new UsageError(
    `${folder} has ${free} of free disk space, but the bench needs ${wanted}: choose another folder with --folder, or use --quick.`,
  )
}

/** Creates the folder `name` with a database of generated sellers. A folder that exists already is deleted first. */
export async function createBenchSite(
  folder: string,
  name: string,
  { sellers, hasProductPages }: Pick<BenchSite, 'sellers' | 'hasProductPages'>,
  progress: (text: string) => void,
): Promise<BenchSite> {
  const own = join(folder, name)
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  const source = join(own, 'source.sqlite')
  const data = await ensureData(folder, sellers, progress)
  progress(`Importing ${formatNumber(sellers)} sellers`)
  await runMeasured({ args: [VITRINA, 'import', data, source], folder: own })
  const places = { source, output: join(own, 'dist'), state: join(own, 'state') }
  return { sellers, hasProductPages, folder: own, ...places }
}

/** Returns the command that rebuilds the site. */
export function createRebuild(site: BenchSite, ...options: readonly string[]): MeasuredCommand {
  const { hasProductPages, folder, source, output, state } = site
  const places = ['--source', source, '--out', output, '--state', state]
  // The large site has ten times the products that a site with a search may have.
  const environment = { PRODUCT_PAGES: hasProductPages ? 'on' : 'off', SEARCH: 'off' }
  return { args: [VITRINA, 'rebuild', ...places, ...options], folder, environment }
}

/**
 * Writes `users.ndjson` and `cataloge.ndjson` into a subfolder of `folder`, unless the subfolder exists. Returns the
 * subfolder's path.
 */
async function ensureData(
  folder: string,
  sellers: number,
  progress: (text: string) => void,
): Promise<string> {
  const target = join(folder, `data-v${DATA_VERSION}-${sellers}`)
  if (existsSync(target)) return target
  const partial = `${target}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  const users = await open(join(partial, 'users.ndjson'), 'w')
  const products = await open(join(partial, 'cataloge.ndjson'), 'w')
  try {
    for (let start = 0; start < sellers; start += CHUNK) {
      progress(`Making data: ${formatNumber(start)} of ${formatNumber(sellers)} sellers`)
      const count = Math.min(CHUNK, sellers - start)
      const made = Array.from({ length: count }, (_, index) => makeSeller(start + index))
      await writeDocuments(
        users,
        made.flatMap(({ profile }) => profile ?? []),
      )
      await writeDocuments(
        products,
        made.flatMap((seller) => seller.products),
      )
    }
  } finally {
    await users.close()
    await products.close()
  }
  renameSync(partial, target)
  return target
}

async function writeDocuments(file: FileHandle, documents: readonly SourceDocument[]): Promise<void> {
  const lines = documents.map(({ id, updateTime, data }) => `${JSON.stringify({ id, updateTime, data })}\n`)
  await file.writeFile(lines.join(''))
}
