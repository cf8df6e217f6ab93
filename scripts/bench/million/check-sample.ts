/** Compares the pages of a few sellers with a clean build of only their documents. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { formatCatalogueFile } from '../../../src/domain/pages/paths.ts'
import { pickSeller } from '../edit-seller.ts'
import type { BenchSite } from '../rebuilds/bench-site.ts'
import { buildBenchSite, createBenchSite } from '../rebuilds/bench-site.ts'

interface ComparedSample {
  readonly sellers: number
  readonly files: number
  /** Paths of files that differ, are missing or are superfluous, relative to the output folder. */
  readonly different: readonly string[]
}

/**
 * Compares up to `count` sellers. The first are those whose prices the bench changed. Temporary files go to `folder`.
 */
export async function checkSample(folder: string, site: BenchSite, count: number): Promise<ComparedSample> {
  const ids = [...new Set(Array.from({ length: count }, (_, turn) => pickSeller(site.sellers, turn + 1).id))]
  const data = join(folder, 'sample')
  writeDocuments(site.source, ids, data)
  const clean = createBenchSite(folder, 'site-sample', { sellers: ids.length, hasProductPages: true })
  try {
    await buildBenchSite(clean, data)
    const files = ids.flatMap((id) => listFiles(clean.output, id))
    const lists = ids.flatMap((id) => listFiles(site.output, id))
    const known = new Set(files)
    const different = files.filter(
      (file) => read(site, file)?.equals(readFileSync(join(clean.output, file))) !== true,
    )
    return {
      sellers: ids.length,
      files: files.length,
      different: [...different, ...lists.filter((file) => !known.has(file))],
    }
  } finally {
    for (const used of [clean.folder, data]) rmSync(used, { recursive: true, force: true })
  }
}

/** Writes the current documents of the sellers, including the edits of the bench, to the folder `data`. */
function writeDocuments(source: string, ids: readonly string[], data: string): void {
  const database = new DatabaseSync(source, { readOnly: true })
  const list = JSON.stringify(ids)
  const write = (name: string, where: string): void => {
    const rows = database
      .prepare(
        `SELECT json_object('id', id, 'updateTime', update_time, 'data', json(data)) AS line FROM documents
         WHERE collection = ? AND ${where} IN (SELECT value FROM json_each(?))`,
      )
      .all(name, list)
    writeFileSync(join(data, `${name}.ndjson`), rows.map(({ line }) => `${String(line)}\n`).join(''))
  }
  mkdirSync(data, { recursive: true })
  try {
    write('users', 'id')
    write('cataloge', "json_extract(data, '$.owner.id')")
  } finally {
    database.close()
  }
}

function listFiles(output: string, id: string): readonly string[] {
  const page = formatCatalogueFile(id)
  const folder = page.replace(/\.html$/, '')
  return [page, ...readdirSync(join(output, folder)).map((name) => join(folder, name))]
}

function read({ output }: BenchSite, file: string): Buffer | null {
  try {
    return readFileSync(join(output, file))
  } catch {
    return null
  }
}
