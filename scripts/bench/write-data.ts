/** Writes the documents of generated sellers into a folder. An existing folder is reused. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { formatNumber } from '../../src/builder/format-numbers.ts'
import type { SourceDocument } from '../../src/domain/documents/document.ts'
import type { MadeSeller } from './made-sellers.ts'
import { makeSeller, DATA_VERSION } from './made-sellers.ts'

/** Max sellers in memory. */
const CHUNK = 200

interface DataSize {
  readonly sellers: number
  /** Number of products of one additional, last seller; `null` for no such seller. */
  readonly largest: number | null
}

/**
 * Writes `users.ndjson` and `cataloge.ndjson` into a subfolder of `folder`, unless the subfolder exists. Returns the
 * subfolder's path.
 */
export async function ensureData(
  folder: string,
  { sellers, largest }: DataSize,
  progress: (text: string) => void,
): Promise<string> {
  const target = join(folder, `data-v${DATA_VERSION}-${sellers}${largest === null ? '' : `-${largest}`}`)
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
      await writeSellers(made, { users, products })
    }
    if (largest !== null) await writeSellers([makeSeller(sellers, largest)], { users, products })
  } finally {
    await users.close()
    await products.close()
  }
  renameSync(partial, target)
  return target
}

async function writeSellers(
  sellers: readonly MadeSeller[],
  { users, products }: { readonly users: FileHandle; readonly products: FileHandle },
): Promise<void> {
  await users.writeFile(sellers.flatMap(({ profile }) => formatLine(profile)).join(''))
  await products.writeFile(sellers.flatMap((seller) => seller.products.flatMap(formatLine)).join(''))
}

function formatLine(document: SourceDocument | null): readonly string[] {
  if (document === null) return []
  const { id, updateTime, data } = document
  return [`${JSON.stringify({ id, updateTime, data })}\n`]
}
