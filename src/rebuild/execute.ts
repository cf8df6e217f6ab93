/** Carries out a plan: bytes in place first, then the record. What fails is reported and stays as it was. */
import type { Snapshot } from '../snapshot/snapshot.ts'
import { hashBytes } from './fingerprint.ts'
import type { Output } from './output.ts'
import type { PageSource } from './pages.ts'
import type { RenderStep, SitePlan } from './plan-site.ts'
import type { FileRow, SiteRecord } from './record.ts'
import type { PageFailure, PageRenderer, RenderedPage } from './rendering.ts'
import { isFailure, isRendered } from './rendering.ts'

export interface Site {
  readonly snapshot: Snapshot
  readonly record: SiteRecord
  readonly output: Output
  /** The number of the generation that pages are rendered with. */
  readonly generation: number
}

export interface Rendering {
  readonly renderer: PageRenderer
  /** How many batches are under way at once. */
  readonly width: number
  /** Told how many pages are done. */
  readonly progress: (done: number) => void
}

// Pages of a batch are rendered together, since part of a page's time is waiting, and recorded together.
const BATCH = 16

export async function renderPages(
  steps: readonly RenderStep[],
  site: Site,
  { renderer, width, progress }: Rendering,
): Promise<readonly PageFailure[]> {
  const failures: PageFailure[] = []
  const batches = createBatches(steps)
  let done = 0
  const work = async (): Promise<void> => {
    for (const batch of batches) {
      const results = await renderer.render(batch.map(({ page }) => page))
      writePages(results.filter(isRendered), site)
      failures.push(...results.filter(isFailure))
      progress((done += batch.length))
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  return failures
}

/** Pages that are not to be go, and what was looked at is remembered as settled. */
export function settlePages(
  { remove, keep }: SitePlan,
  { snapshot, record, output, generation }: Site,
): void {
  record.markUnsure(remove.map((page) => createRow(page, generation)))
  for (const { path } of remove) output.remove(path)
  record.write(
    [],
    remove.map((page) => page.path),
  )
  record.moveToGeneration(
    keep.map((page) => page.path),
    generation,
  )
  snapshot.forgetChanged([...remove, ...keep].flatMap(({ seller }) => seller ?? []))
}

// One iterator for all workers: each takes the next batch.
function* createBatches(steps: readonly RenderStep[]): Generator<readonly RenderStep[]> {
  for (let start = 0; start < steps.length; start += BATCH) yield steps.slice(start, start + BATCH)
}

function writePages(rendered: readonly RenderedPage[], { snapshot, record, output }: Site): void {
  const differing = rendered.filter(({ row }) => record.findDigest(row.path) !== row.digest)
  record.markUnsure(differing.map(({ row }) => row))
  for (const page of differing) writePage(page, output)
  record.write(
    rendered.map(({ row }) => row),
    [],
  )
  snapshot.forgetChanged(rendered.flatMap(({ row }) => row.seller ?? []))
}

function writePage({ row, content }: RenderedPage, output: Output): void {
  if (content.kind === 'waiting') output.place(content.name, row.path)
  else if (content.kind === 'text') writeFile(output, row, content.html)
}

/** A file that already has these bytes is left as it is. */
export function writeFile(output: Output, { path, digest }: FileRow, bytes: Uint8Array | string): void {
  const present = output.read(path)
  if (present === null || hashBytes(present) !== digest) output.write(path, bytes)
}

function createRow({ path, seller }: PageSource, generation: number): FileRow {
  return { path, kind: 'page', seller, generation, data: '', digest: '' }
}
