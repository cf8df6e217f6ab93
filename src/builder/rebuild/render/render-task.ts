/** The task of a render worker: renders pages into partial files, which the main thread moves to their paths. */
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { formatPageFile } from '../../../domain/documents/page-address.ts'
import type { SellerPageKey } from '../../../domain/documents/page-table.ts'
import type { Site } from '../../../domain/pages/site.ts'
import type { PictureSetup } from '../../pictures/open-pictures.ts'
import type { PageData } from '../plan/page-data.ts'
import type { PageDataSource } from '../plan/page-sources.ts'
import { readSellerPage } from '../plan/seller-pages.ts'
import type { Renderer } from '../../renderer/load-renderer.ts'
import { readResultCode } from '../../result-codes.ts'
import { hashBytes } from '../../state/manifest.ts'
import type { PageBuffer } from './page-buffer.ts'
import { refuseTooLarge, renderText } from './render-page.ts'
import { createTaskReads } from './task-reads.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

/** The data common to all tasks of a worker. Plain data. */
export interface WorkerSetup {
  /** Path of the snapshot's file. */
  readonly snapshot: string
  /** The folder of the compiled server. */
  readonly server: string
  /** The output folder, and the folder of partial files in it. */
  readonly output: string
  readonly partial: string
  /** Paths of the files in the public folder. */
  readonly publicFiles: readonly string[]
  readonly pictures: PictureSetup
  readonly settings: Site
}

export interface TaskPage {
  /** A page of a seller, whose data the worker reads, or another page together with its data. */
  readonly page: SellerPageKey | SitePage
  /** Recorded hash of the page's bytes; `null` if the page is new or its file is unsure. */
  readonly digest: string | null
}

/** A page that belongs to no seller. Plain data. */
interface SitePage {
  readonly path: string
  /** `null` if the page should not exist. */
  readonly data: PageData | null
}

/** `partial` is the name of the partial file; `null` if the page's file already has these bytes. */
export type TaskResult =
  | {
      readonly data: string
      readonly digest: string
      readonly shows: readonly string[]
      readonly partial: string | null
    }
  | {
      readonly reason: string
      /** SQLite's code if the snapshot or the picture store could not be read, else 0. */
      readonly errcode: number
    }

export interface TaskTools extends PageDataSource {
  readonly renderer: Renderer
  /** Returns a unique file name. */
  readonly nameFile: () => string
  readonly output: string
  readonly partial: string
  readonly buffer: PageBuffer
}

/** Returns the results in the order of the pages. */
export async function runTask(pages: readonly TaskPage[], tools: TaskTools): Promise<readonly TaskResult[]> {
  const results: TaskResult[] = []
  // Renders one page after another. Rendering never waits for anything, so rendering several pages at once would only
  // keep more texts in memory.
  for (const page of readTogether(pages, tools)) results.push(await renderOne(page, tools))
  // Lets the event loop run timers that React has set. They keep the rendered pages in memory, and would not run
  // between tasks otherwise.
  await setImmediate()
  return results
}

interface ReadPage extends Pick<TaskPage, 'digest'> {
  readonly path: string
  readonly read: () => PageData | null
}

/**
 * Reads the data of all pages in one transaction, because separate reads would spend half of their time on the file's
 * locks.
 */
function readTogether(tasks: readonly TaskPage[], tools: TaskTools): readonly ReadPage[] {
  const keys = tasks.flatMap(({ page }) => ('data' in page ? [] : [page]))
  const reads = createTaskReads(tools, keys)
  const pages = tasks.map(({ page, digest }) => ({ ...openPage(page, reads), digest }))
  try {
    return tools.snapshot.readTogether(() => pages.map(readNow))
  } catch (error) {
    return pages.map((page) => createUnread(page, error))
  }
}

function readNow(page: ReadPage): ReadPage {
  try {
    const data = page.read()
    return { ...page, read: () => data }
  } catch (error) {
    return createUnread(page, error)
  }
}

/** Returns the page with a `read` that throws the error, so that only this page fails. */
function createUnread(page: ReadPage, error: unknown): ReadPage {
  const read = (): never => {
    throw error
  }
  return { ...page, read }
}

async function renderOne(page: ReadPage, tools: TaskTools): Promise<TaskResult> {
  try {
    const { text, data, shows } = await renderText(page.read(), tools.renderer)
    // No `await` from here on, because another page could then overwrite this one in the buffer before it is written.
    const bytes = tools.buffer.encode(text)
    refuseTooLarge(bytes.byteLength)
    const digest = hashBytes(bytes)
    if (digest === page.digest && tools.buffer.isFile(join(tools.output, page.path)))
      return { data, digest, shows, partial: null }
    const partial = tools.nameFile()
    tools.buffer.write(join(tools.partial, partial))
    return { data, digest, shows, partial }
  } catch (error) {
    return { reason: readMessage(error), errcode: readResultCode(error) }
  }
}

function openPage(page: TaskPage['page'], tools: PageDataSource): Omit<ReadPage, 'digest'> {
  if ('data' in page) return { path: page.path, read: () => page.data }
  return { path: formatPageFile(page), read: () => readSellerPage(tools, page) }
}
