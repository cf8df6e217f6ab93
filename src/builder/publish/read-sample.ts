/** Reads the ids of the bundled sample's products, to recognise a site that shows the sample. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../state/project-folder.ts'

const FILE = join(ROOT, 'src/builder/sources/sample/cataloge.ndjson')

/** Returns product ids by seller id. */
export function readSampleProducts(): ReadonlyMap<string, ReadonlySet<string>> {
  const sellers = new Map<string, Set<string>>()
  for (const line of readFileSync(FILE, 'utf8').split('\n').filter(Boolean)) {
    const { id, data }: { id: string; data: { owner?: { id?: string } } } = JSON.parse(line)
    const seller = data.owner?.id ?? ''
    sellers.set(seller, (sellers.get(seller) ?? new Set()).add(id))
  }
  return sellers
}
