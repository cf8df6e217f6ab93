/** Checks that every reference inside the site leads to one of its files, before the site is published. */
import type { Lane } from './lane.ts'
import type { SiteRecord } from '../state/record/record.ts'
import type { FileReader } from './file-reader.ts'
import { visitBatches } from './file-reader.ts'
import { leadsSomewhere } from './find-references.ts'

export class BrokenReferenceError extends Error {
  override readonly name = 'BrokenReferenceError'
}

const CHECKED = /\.(html|js)$/
const SHOWN = 5

/** Returns the number of references. Throws a `BrokenReferenceError` that names the first broken ones. */
export async function checkReferences(
  { record, lane }: { readonly record: SiteRecord; readonly lane: Lane },
  reader: Pick<FileReader, 'readReferences' | 'width'>,
): Promise<number> {
  const broken: BrokenReference[] = []
  let count = 0
  await visitBatches(listChecked(record), reader.width, async (paths) => {
    const references = await reader.readReferences(paths)
    count += references.reduce((sum, { length }) => sum + length, 0)
    paths.forEach((path, index) => {
      const lost = references[index]?.filter((reference) => !leadsSomewhere(reference, { record, lane }))
      broken.push(...(lost ?? []).map((reference) => ({ path, reference })))
    })
  })
  if (broken.length === 0) return count
  throw new BrokenReferenceError(
    `The site has broken references: ${formatFirst(broken)}. Not to be published.`,
  )
}

interface BrokenReference {
  readonly path: string
  readonly reference: string
}

function formatFirst(broken: readonly BrokenReference[]): string {
  const first = broken.toSorted(comparePaths).slice(0, SHOWN)
  const more = broken.length > SHOWN ? ` and ${broken.length - SHOWN} more` : ''
  return first.map(({ path, reference }) => `${path} refers to ${reference}`).join('; ') + more
}

function comparePaths(a: BrokenReference, b: BrokenReference): number {
  return a.path === b.path ? 0 : a.path < b.path ? -1 : 1
}

function* listChecked(record: SiteRecord): Generator<string> {
  for (const { path } of record.readFiles()) if (CHECKED.test(path)) yield path
}
