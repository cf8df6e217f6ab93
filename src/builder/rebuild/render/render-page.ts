/** Renders pages in this process. Each result is the page, or the reason why the page failed. */
import { createHash } from 'node:crypto'
import { encodePieces } from '../../state/encode-pieces.ts'
import { readResultCode } from '../../result-codes.ts'
import { listPictureFiles } from '../plan/page-data.ts'
import type { PageData } from '../plan/page-data.ts'
import type { PageSource } from '../plan/page-sources.ts'
import type { RenderStep } from '../plan/plan-site.ts'
import type { FileRow } from '../../state/record/record.ts'
import type { Renderer } from '../../renderer/load-renderer.ts'
import type { PageText } from '../../renderer/fast/page-pieces.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

export interface RenderedPage {
  readonly row: FileRow
  /** Paths of the picture files that the page shows. */
  readonly shows: readonly string[]
  readonly content: RenderedContent
}

/**
 * `text`: the text of the page. `waiting`: the partial file `name` has the page, and must still be moved to the page's
 * path. `same`: the page's file already has these bytes.
 */
export type RenderedContent =
  | { readonly kind: 'text'; readonly text: PageText }
  | { readonly kind: 'waiting'; readonly name: string }
  | { readonly kind: 'same' }

export interface PageFailure {
  readonly path: string
  readonly seller: string | null
  readonly reason: string
}

export type PageResult = RenderedPage | PageFailure

/**
 * Renders several pages. A page that fails does not affect the others. Rejects if the snapshot or the picture store
 * cannot be read, or if no worker can run.
 */
export interface PageRenderer {
  render(pages: readonly RenderStep[]): Promise<readonly PageResult[]>
}

const MEBIBYTE = 1024 * 1024

/** Max bytes of a file. Source: https://developers.cloudflare.com/workers/platform/limits/#static-assets */
export const LARGEST_FILE = 25 * MEBIBYTE

/**
 * Returns the text of a page, and what is recorded with it besides the digest: the hash of its data, and the picture
 * files that it shows.
 */
export async function renderText(
  data: PageData | null,
  renderer: Renderer,
): Promise<Pick<FileRow, 'data'> & Pick<RenderedPage, 'shows'> & { readonly text: PageText }> {
  if (data === null) throw new Error('the seller or product was removed during the run: run again')
  const text = data.kind === 'text' ? [data.text] : await renderer.render(data.page)
  return { data: data.hash, shows: listPictureFiles(data), text }
}

/** Returns the hash of a page's bytes. Throws if the page is too large. */
function hashPage(pieces: Iterable<Uint8Array>): string {
  const hash = createHash('sha256')
  let size = 0
  for (const piece of pieces) {
    hash.update(piece)
    size += piece.byteLength
  }
  refuseTooLarge(size)
  return hash.digest('hex')
}

/** Throws if a page has more bytes than the edge serves. */
export function refuseTooLarge(size: number): void {
  if (size <= LARGEST_FILE) return
  throw new Error(
    `the page has ${(size / MEBIBYTE).toFixed(1)} MiB, and the edge serves files of up to ${LARGEST_FILE / MEBIBYTE} MiB: move some of its products to another seller`,
  )
}

export function createPageRenderer(renderer: Renderer, generation: number): PageRenderer {
  const render = async (request: PageSource): Promise<PageResult> => {
    try {
      const { text, shows, data } = await renderText(request.reader.read(request), renderer)
      const { path, seller } = request
      const row: FileRow = {
        path,
        kind: 'page',
        seller,
        generation,
        data,
        digest: hashPage(encodePieces(text)),
      }
      return { row, shows, content: { kind: 'text', text } }
    } catch (error) {
      // A SQLite error means that the snapshot or the picture store cannot be read: it must end the run, not just fail
      // this page.
      if (readResultCode(error) > 0) throw error
      return createFailure(request, error)
    }
  }
  return {
    // Renders one page after another, so that only one page is in memory at a time.
    render: async (pages) => {
      const results: PageResult[] = []
      for (const page of pages) results.push(await render(page))
      return results
    },
  }
}

export function createFailure(
  { path, seller }: Pick<PageSource, 'path' | 'seller'>,
  error: unknown,
): PageFailure {
  return { path, seller, reason: readMessage(error) }
}

export function isRendered(result: PageResult): result is RenderedPage {
  return 'row' in result
}

export function isFailure(result: PageResult): result is PageFailure {
  return 'reason' in result
}
