/**
 * Checks that every reference from a file of the site to the site itself leads to a file, to a page of the Worker, or
 * to a page of a seller whose changes are not yet in the view `files`. References from pages of a seller with a failed
 * page are not checked.
 */
import type { FileRow, SiteRecord } from '../../state/record/record.ts'
import type { CheckedFile, FileReader } from './file-reader.ts'
import { visitBatches } from './file-reader.ts'
import type { ReferredSite } from './find-references.ts'
import { createReferenceTest } from './find-references.ts'

export class BrokenReferenceError extends Error {
  override readonly name = 'BrokenReferenceError'
}

const SHOWN = 5

export interface CheckedSite extends ReferredSite {
  readonly record: SiteRecord
}

/** Collects references, and checks each one against the record at the moment it is added. */
export interface ReferenceCheck {
  add(rows: readonly FileRow[], checked: readonly CheckedFile[]): void
  /** Returns the number of references. If any are broken, throws a `BrokenReferenceError` that names the first ones. */
  end(): number
}

export function createReferenceCheck(site: CheckedSite): ReferenceCheck {
  const leadsSomewhere = createReferenceTest(site)
  const broken: BrokenReference[] = []
  let count = 0
  return {
    add: (rows, checked) =>
      rows.forEach(({ path, seller }, index) => {
        const references = checked[index] ?? []
        count += references.length
        for (const reference of references)
          if (!leadsSomewhere(reference, seller)) broken.push({ path, reference })
      }),
    end: () => {
      if (broken.length === 0) return count
      throw new BrokenReferenceError(
        `The site has broken references: ${formatFirst(broken)}. Correct them before you publish the site.`,
      )
    },
  }
}

/**
 * Checks the references of every recorded file that is undamaged, and returns their number. Throws a
 * `BrokenReferenceError` if any are broken.
 */
export async function checkReferences(site: CheckedSite, reader: FileReader): Promise<number> {
  const check = createReferenceCheck(site)
  await visitBatches(site.record.readFiles(), reader.width, async (rows) =>
    check.add(rows, await reader.check(rows, true)),
  )
  return check.end()
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
