/**
 * Carries out the plan for pages. A page that fails is reported, and its old version, if it has one, stays in place.
 */
import { formatBucketFile } from '../../domain/pages/sitemap.ts'
import { countSearchFiles, findSearchFile, formatSearchFilePath } from '../../domain/search/search-file.ts'
import { divide, inLanes } from '../../domain/work/batches.ts'
import { hashBytes } from '../state/manifest.ts'
import type { Output, PartialFile } from '../state/output/output.ts'
import type { PageSource } from './plan/page-sources.ts'
import { readResultCode } from '../result-codes.ts'
import type { RenderStep, SitePlan } from './plan/plan-site.ts'
import type { FileRow, ShownPictures } from '../state/record/record.ts'
import type { PageFailure, PageRenderer, RenderedPage } from './render/render-page.ts'
import { createFailure, isFailure, isRendered } from './render/render-page.ts'
import type { RebuildState } from './world.ts'

export interface WrittenState extends RebuildState {
  /** The number of the generation that pages are rendered with. */
  readonly generation: number
}

interface RenderOptions {
  readonly renderer: PageRenderer
  /** Number of batches rendered at once. */
  readonly width: number
  /** Called after each batch with the number of pages done so far, including failed ones. */
  readonly progress: (done: number) => void
}

/**
 * Bounds of the max number of pages in a batch. A batch is one task of a worker, and its pages are recorded together.
 * Large batches take less time for each page, but a worker may be idle at the end of a run while another finishes its
 * batch.
 */
const BATCH = { few: 16, many: 192 }

/** Approximate number of batches into which a run is divided if `BATCH` and `LARGE` permit it. */
const BATCHES = 150

/** Max products of a batch. A page with more products is a separate batch. */
export const LARGE = 2_000

export async function renderPages(
  steps: readonly RenderStep[],
  site: WrittenState,
  { renderer, width, progress }: RenderOptions,
): Promise<readonly PageFailure[]> {
  const failures: PageFailure[] = []
  const most = Math.min(BATCH.many, Math.max(BATCH.few, Math.floor(steps.length / BATCHES)))
  const batches = divide(steps, most, { most: LARGE, measure: (step) => step.reader.countProducts(step) })
  let done = 0
  await inLanes(batches, width, async (batch) => {
    const results = await renderer.render(batch)
    failures.push(...writePages(results.filter(isRendered), site), ...results.filter(isFailure))
    progress((done += batch.length))
  })
  return failures
}

/** Protocol state `removed`. Removes pages that should not exist. */
export function removePages({ remove }: SitePlan, site: WrittenState): void {
  const rows = remove.map((page) => createRow(page, site.generation))
  removeRows(rows, site)
}

/** Removes files and their rows. The rows are unsure until the files are removed. */
export function removeRows(rows: readonly FileRow[], { record, output }: WrittenState): void {
  const paths = rows.map(({ path }) => path)
  record.markUnsure(rows)
  output.remove(paths)
  record.write([], paths)
}

/** Records that the kept pages are up to date in this generation. */
export function keepPages({ keep }: SitePlan, { record, generation }: WrittenState): void {
  record.moveToGeneration(
    keep.map((page) => page.path),
    generation,
  )
}

/**
 * Protocol state `settled`. The planned sellers no longer wait for the view `files`. Sellers with a failed page or a
 * failed list are postponed instead. With `isWhole` every page was planned, so a due comparison ends
 * too.
 */
export function settleSellers(
  { render, remove, keep }: SitePlan,
  failures: readonly PageFailure[],
  { site: { snapshot }, isWhole }: { readonly site: WrittenState; readonly isWhole: boolean },
): void {
  const pages = [...render, ...remove, ...keep]
  const sellers = [...new Set(pages.flatMap(({ seller }) => seller ?? []))]
  const reasons = new Map(failures.map(({ seller, path, reason }) => [seller ?? path, reason]))
  const files = countSearchFiles(snapshot.readTotals().products)
  const findReason = (seller: string): string | undefined => {
    const bucket = snapshot.findBucket(seller)
    const lists = [formatBucketFile(bucket), formatSearchFilePath(findSearchFile(bucket, files))]
    return (
      reasons.get(seller) ?? lists.map((path) => reasons.get(path)).find((reason) => reason !== undefined)
    )
  }
  const failed = sellers.flatMap((seller) => {
    const reason = findReason(seller)
    return reason === undefined ? [] : [{ seller, reason }]
  })
  snapshot.waits.postpone(failed)
  snapshot.waits.settle(sellers.filter((seller) => findReason(seller) === undefined))
  if (isWhole) snapshot.waits.settleComparison()
}

// Protocol state `written`. A page keeps its old version if the picture store has lost one of its pictures.
function writePages(rendered: readonly RenderedPage[], site: WrittenState): readonly PageFailure[] {
  const { record, output } = site
  const { complete, pictures, failures } = collectPictures(rendered, site)
  const differing = complete.filter((page) => !isInPlace(page, site))
  const shows: ShownPictures = new Map(complete.map((page) => [page.row.path, page.shows]))
  const pictureRows = pictures.map(({ row }) => row)
  record.markUnsure([...pictureRows, ...differing.map(({ row }) => row)], shows)
  for (const { row, bytes } of pictures) writeFile(output, row, bytes)
  for (const { row, content } of differing) if (content.kind === 'text') output.write(row.path, content.text)
  output.place(differing.flatMap(listPartial))
  record.write([...pictureRows, ...complete.map(({ row }) => row)], [], shows)
  return failures
}

interface PictureFile {
  readonly row: FileRow
  readonly bytes: Uint8Array
}

interface Collected {
  readonly complete: readonly RenderedPage[]
  readonly pictures: readonly PictureFile[]
  readonly failures: readonly PageFailure[]
}

function collectPictures(rendered: readonly RenderedPage[], site: WrittenState): Collected {
  const pictures = new Map<string, PictureFile>()
  const complete: RenderedPage[] = []
  const failures: PageFailure[] = []
  for (const page of rendered) {
    try {
      for (const file of readPictureFiles(page.shows, site)) pictures.set(file.row.path, file)
      complete.push(page)
    } catch (error) {
      // A SQLite error means that the record or the picture store cannot be read: it must end the run, not just fail
      // this page.
      if (readResultCode(error) > 0) throw error
      failures.push(createFailure(page.row, error))
    }
  }
  return { complete, pictures: [...pictures.values()], failures }
}

/**
 * Returns the files among `paths` that the record does not list, or lists as unsure or unshown. Throws if the picture
 * store has lost one of them.
 */
export function readPictureFiles(
  paths: readonly string[],
  { record, pictures }: WrittenState,
): readonly PictureFile[] {
  return paths
    .filter((path) => record.findDigest(path) === null)
    .map((path) => {
      const bytes = pictures.readFile(path)
      if (bytes === null) throw new Error(`the picture store has lost ${path}`)
      const digest = hashBytes(bytes)
      return { row: { path, kind: 'picture', seller: null, generation: 0, data: '', digest }, bytes }
    })
}

// Returns whether the page's file already has the bytes of the rendered page. If the result has no text, a worker has
// already compared the bytes. Does not read the file if the record has another digest for it.
function isInPlace({ row, content }: RenderedPage, { record, output }: WrittenState): boolean {
  if (content.kind !== 'text') return content.kind === 'same'
  const recorded = record.findDigest(row.path)
  if (recorded !== null && recorded !== row.digest) return false
  const present = output.read(row.path)
  return present !== null && hashBytes(present) === row.digest
}

function listPartial({ row, content }: RenderedPage): readonly PartialFile[] {
  return content.kind === 'waiting' ? [{ name: content.name, path: row.path }] : []
}

/** Writes nothing if the file already has these bytes. */
export function writeFile(output: Output, { path, digest }: FileRow, bytes: Uint8Array | string): void {
  const present = output.read(path)
  if (present === null || hashBytes(present) !== digest) output.write(path, bytes)
}

function createRow({ path, seller }: PageSource, generation: number): FileRow {
  return { path, kind: 'page', seller, generation, data: '', digest: '' }
}
