/** Carries out a plan: bytes in place first, then the record. What fails is reported and stays as it was. */
import type { Snapshot } from '../snapshot/snapshot.ts'
import { hashBytes } from './fingerprint.ts'
import type { Output } from './output.ts'
import type { PageSource } from './pages.ts'
import { hashPage } from './pages.ts'
import type { RenderStep, SitePlan } from './plan-site.ts'
import type { FileRow, SiteRecord } from './record.ts'
import type { Renderer } from './renderer.ts'

export interface PageFailure {
  readonly path: string
  readonly seller: string | null
  readonly reason: string
}

export interface Site {
  readonly snapshot: Snapshot
  readonly record: SiteRecord
  readonly output: Output
  /** The number of the generation that pages are rendered with. */
  readonly generation: number
}

interface RenderedPage {
  readonly page: PageSource
  readonly row: FileRow
  readonly html: string
}

type Rendering = RenderedPage | PageFailure

// Part of a page's time is waiting, so several are rendered at once; they are written and recorded together.
const BATCH = 32

export async function renderPages(
  steps: readonly RenderStep[],
  renderer: Renderer,
  site: Site,
  progress: (done: number) => void,
): Promise<readonly PageFailure[]> {
  const failures: PageFailure[] = []
  for (let start = 0; start < steps.length; start += BATCH) {
    const batch = steps.slice(start, start + BATCH)
    const results = await Promise.all(batch.map(({ page }) => renderPage(page, renderer, site.generation)))
    writePages(results.filter(isRendered), site)
    failures.push(...results.filter(isFailure))
    progress(start + batch.length)
  }
  return failures
}

/** Pages that are not to be go, and what was looked at is remembered as settled. */
export function settlePages(
  { remove, keep }: SitePlan,
  { snapshot, record, output, generation }: Site,
): void {
  record.markUnsure(remove.map((page) => createRow(page, generation, '', '')))
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

async function renderPage(page: PageSource, renderer: Renderer, generation: number): Promise<Rendering> {
  try {
    const data = page.read()
    if (data === null) throw new Error('its seller is gone')
    const html = await renderer.render(data)
    return { page, html, row: createRow(page, generation, hashPage(data), hashBytes(html)) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { path: page.path, seller: page.seller, reason }
  }
}

function writePages(rendered: readonly RenderedPage[], { snapshot, record, output }: Site): void {
  const differing = rendered.filter(({ row }) => record.findDigest(row.path) !== row.digest)
  record.markUnsure(differing.map(({ row }) => row))
  for (const { row, html } of differing) writeFile(output, row, html)
  record.write(
    rendered.map(({ row }) => row),
    [],
  )
  snapshot.forgetChanged(rendered.flatMap(({ row }) => row.seller ?? []))
}

/** A file that already has these bytes is left as it is. */
export function writeFile(output: Output, { path, digest }: FileRow, bytes: Uint8Array | string): void {
  const present = output.read(path)
  if (present === null || hashBytes(present) !== digest) output.write(path, bytes)
}

function createRow(page: PageSource, generation: number, data: string, digest: string): FileRow {
  return { path: page.path, kind: 'page', seller: page.seller, generation, data, digest }
}

function isRendered(result: Rendering): result is RenderedPage {
  return 'html' in result
}

function isFailure(result: Rendering): result is PageFailure {
  return !isRendered(result)
}
