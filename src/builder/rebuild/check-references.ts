/** Checks that every reference inside the site leads to one of its files, before the site is published. */
import type { Lane } from './lane.ts'
import type { Output } from '../state/output/output.ts'
import type { SiteRecord } from '../state/record/record.ts'
import { findReferences, leadsSomewhere } from './find-references.ts'

export class BrokenReferenceError extends Error {
  override readonly name = 'BrokenReferenceError'
}

const CHECKED = /\.(html|js)$/
const SHOWN = 5

/** Returns the number of references. Throws a `BrokenReferenceError` that names the first broken ones. */
export async function checkReferences(output: Output, record: SiteRecord, lane: Lane): Promise<number> {
  const broken: string[] = []
  let count = 0
  for (const { path } of record.readFiles()) {
    const bytes = CHECKED.test(path) ? output.read(path) : null
    if (bytes === null) continue
    const references = await findReferences(path, new TextDecoder().decode(bytes))
    count += references.length
    const lost = references.filter((reference) => !leadsSomewhere(reference, { record, lane }))
    broken.push(...lost.map((reference) => `${path} refers to ${reference}`))
  }
  if (broken.length === 0) return count
  const more = broken.length > SHOWN ? ` and ${broken.length - SHOWN} more` : ''
  throw new BrokenReferenceError(
    `The site has broken references: ${broken.slice(0, SHOWN).join('; ')}${more}. Not to be published.`,
  )
}
