/** Checks a successful run. Each check throws a `Difference` if it fails. */
import { PHOTO_FOLDER, SOCIAL_FOLDER } from '../../../src/domain/photos/picture.ts'
import type { PageData } from '../../../src/builder/rebuild/plan/page-data.ts'
import { HASHED } from '../../../src/builder/rebuild/static/static-files.ts'
import { hashBytes } from '../../../src/builder/state/manifest.ts'
import { fail } from '../difference.ts'
import type { ShownChanges } from './documents.ts'
import { formatKey } from './documents.ts'
import type { RetainedFile } from './place.ts'
import type { RunResult } from './run-in-process.ts'
import type { SiteFiles } from './site-files.ts'
import { compareSites } from './site-files.ts'

/** A file of an earlier publish is retained for visitors and caches while its `age` is below this number. */
const RETAINED_FOR = 3
/** Folders whose file names contain a hash of the content. */
const NAMED_BY_BYTES = [HASHED, PHOTO_FOLDER, SOCIAL_FOLDER]

/**
 * Checks that all files except retained ones equal those of a clean build, and that retained files are intact and not
 * too old.
 */
export function checkEqual(actual: SiteFiles, clean: SiteFiles, files: readonly RetainedFile[]): void {
  const retained = files.filter(({ path }) => !clean.has(path))
  for (const { path, digest, age } of retained) {
    const bytes = actual.get(path)
    if (!NAMED_BY_BYTES.some((folder) => path.startsWith(folder)))
      fail([`${path} is retained, though its name has no hash of its content`])
    if (bytes === undefined || hashBytes(bytes) !== digest)
      fail([`${path} is retained, but is missing or damaged`])
    if (age >= RETAINED_FOR) fail([`${path} is retained for too long`])
  }
  const kept = new Set(retained.map(({ path }) => path))
  fail(compareSites(new Map([...actual].filter(([path]) => !kept.has(path))), clean))
}

/** Checks that the site has exactly the seller pages that the snapshot requires. */
export function checkComplete(actual: SiteFiles, { pages: wanted }: RunResult): void {
  const found = [...actual.keys()].filter((path) => /^catalogo\/(?!404\.html$)/.test(path))
  const [pages, expected] = [new Set(found), new Set(wanted)]
  fail(found.filter((path) => !expected.has(path)).map((path) => `${path} is not required by the snapshot`))
  fail(
    wanted
      .filter((path) => !pages.has(path))
      .map((path) => `${path} is missing, though the snapshot requires it`),
  )
}

/** Checks that both runs report the same totals and the same problems. */
export function checkKnowledge(result: RunResult, clean: RunResult): void {
  const [actual, expected] = [result, clean].map(({ outcome: { totals, problems } }) =>
    JSON.stringify({ totals, problems }, null, 1),
  )
  if (actual !== expected) fail([`the run reported ${actual}`, `a clean build reported ${expected}`])
}

export function checkIdle(result: RunResult): void {
  if (result.exit !== 0 || !/^Nothing to do/m.test(result.words))
    fail([`a second run should have nothing to do, but printed: ${result.words}`])
}

/**
 * Checks that pages were rendered or removed for exactly the sellers whose documents changed, and that a product's page
 * was rendered only if the product, a picture or the seller's profile changed.
 */
export function checkMinimal({ outcome }: RunResult, { sellers: changed, documents }: ShownChanges): void {
  const { render, remove } = outcome.preparation.plan
  const pages = [...render, ...remove]
  const touched = new Set(pages.flatMap(({ seller }) => seller ?? []))
  fail(
    [...touched]
      .filter((seller) => !changed.has(seller))
      .map((seller) => `${seller} was rendered without need`),
  )
  fail([...changed].filter((seller) => !touched.has(seller)).map((seller) => `${seller} was not rendered`))
  const needless = render.filter(
    (step) =>
      step.product !== null &&
      step.reason !== 'picture' &&
      !showsSellersPicture(step.reader.read(step)) &&
      !documents.has(formatKey({ collection: 'cataloge', id: step.product })) &&
      !documents.has(formatKey({ collection: 'users', id: step.seller ?? '' })),
  )
  fail(needless.map(({ path, reason }) => `${path} was rendered without need (${reason})`))
}

// Returns whether the page's preview is the seller's picture. That picture shows the number of the seller's products,
// so it changes with other products.
function showsSellersPicture(data: PageData | null): boolean {
  return (
    data?.kind === 'screen' &&
    data.page.kind === 'product' &&
    data.page.preview?.path.startsWith(SOCIAL_FOLDER) === true
  )
}
