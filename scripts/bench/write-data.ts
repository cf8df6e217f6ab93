/** Streams the documents of generated sellers into a folder; an existing folder is reused. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceDocument } from '../../src/domain/documents/document.ts'
import { formatCount } from '../measure/format-figures.ts'
import { createSeller, DATA_VERSION } from './made-sellers.ts'

/** Max sellers in memory. */
const CHUNK = 200

/** Returns the folder of `users.ndjson` and `cataloge.ndjson`, inside `folder`. */
export async function ensureData(
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
      progress(`Making data: ${formatCount(start)} of ${formatCount(sellers)} sellers`)
      await writeSellers(start, Math.min(start + CHUNK, sellers), { users, products })
    }
  } finally {
    await users.close()
    await products.close()
  }
  renameSync(partial, target)
  return target
}

async function writeSellers(
  start: number,
  end: number,
  { users, products }: { readonly users: FileHandle; readonly products: FileHandle },
): Promise<void> {
  const sellers = Array.from({ length: end - start }, (_, index) => createSeller(start + index))
  await users.writeFile(sellers.flatMap(({ profile }) => formatLine(profile)).join(''))
  await products.writeFile(sellers.flatMap((seller) => seller.products.flatMap(formatLine)).join(''))
}

function formatLine(document: SourceDocument | null): readonly string[] {
  if (document === null) return []
  const { id, updateTime, data } = document
  return [`${JSON.stringify({ id, updateTime, data })}\n`]
}
