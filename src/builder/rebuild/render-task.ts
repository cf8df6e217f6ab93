/** What a render worker does: pages of some sellers, each into a file that waits to be moved to its place. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { PictureSetup } from '../pictures/open-pictures.ts'
import type { PageDataSource } from './page-sources.ts'
import { createCatalogueSource } from './page-sources.ts'
import type { Renderer } from '../renderer/load-renderer.ts'
import { renderText } from './render-page.ts'

/** How to set up a worker: everything that stays the same for all its tasks. Plain data. */
export interface WorkerSetup {
  /** The snapshot's file. */
  readonly snapshot: string
  /** The folder of the compiled server. */
  readonly server: string
  /** Where files wait; in the output folder. */
  readonly partial: string
  /** The names of the files in the public folder. */
  readonly publicFiles: readonly string[]
  readonly pictures: PictureSetup
  readonly settings: { readonly name: string; readonly url: string; readonly accessUrl: string | null }
}

export interface TaskPage {
  readonly seller: string
  /** Hash of the bytes that stand there for sure: the same bytes are not written again. */
  readonly digest: string | null
}

/** `partial` is `null` when the bytes stand there already. */
export type TaskResult =
  | {
      readonly data: string
      readonly digest: string
      readonly shows: readonly string[]
      readonly partial: string | null
    }
  | { readonly reason: string }

export interface TaskTools extends PageDataSource {
  readonly renderer: Renderer
  /** A file name that nobody else uses. */
  readonly nameFile: () => string
  readonly folder: string
}

/** Results stand in the order of the pages. */
export async function runTask(pages: readonly TaskPage[], tools: TaskTools): Promise<readonly TaskResult[]> {
  const results = await Promise.all(pages.map((page) => renderOne(page, tools)))
  // React leaves timers behind that hold each page; between tasks, a worker's event loop does not turn by itself.
  await setImmediate()
  return results
}

async function renderOne({ seller, digest: present }: TaskPage, tools: TaskTools): Promise<TaskResult> {
  try {
    const page = createCatalogueSource(tools, seller)
    const { html, ...result } = await renderText(page, tools.renderer)
    if (result.digest === present) return { ...result, partial: null }
    const partial = tools.nameFile()
    writeFileSync(join(tools.folder, partial), html)
    return { ...result, partial }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}
