/** The task of a render worker: renders some pages into partial files, which the main thread places. */
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
import type { PageBuffer } from './page-buffer.ts'
import { hashPage, renderText } from './render-page.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

/** The data common to all tasks of a worker. Plain data. */
export interface WorkerSetup {
  /** The snapshot's file. */
  readonly snapshot: string
  /** The folder of the compiled server. */
  readonly server: string
  /** The output folder, and the folder of partial files in it. */
  readonly output: string
  readonly partial: string
  /** The names of the files in the public folder. */
  readonly publicFiles: readonly string[]
  readonly pictures: PictureSetup
  readonly settings: Site
}

export interface TaskPage {
  /** A page of a seller, whose data the worker reads, or another with its data. */
  readonly page: SellerPageKey | SitePage
  /** Hash of the recorded bytes; `null` if they are unsure. */
  readonly digest: string | null
}

/** A page of no seller. Plain data. */
interface SitePage {
  readonly path: string
  /** `null` if the page is gone. */
  readonly data: PageData | null
}

/** `partial` is the name of the partial file; `null` if the bytes are already in place. */
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

/** Results are in the order of the pages. */
export async function runTask(pages: readonly TaskPage[], tools: TaskTools): Promise<readonly TaskResult[]> {
  const results: TaskResult[] = []
  // One after another: nothing in a page waits, and only the memory of one text is in use at each garbage collection.
  for (const page of readTogether(pages, tools)) results.push(await renderOne(page, tools))
  // React leaves timers that retain each page. A worker's event loop does not turn between tasks unless it yields here.
  await setImmediate()
  return results
}

interface ReadPage extends Pick<TaskPage, 'digest'> {
  readonly path: string
  readonly read: () => PageData | null
}

/** Reads the data of all pages in one transaction: alone, each read spends half of its time on the file's locks. */
function readTogether(tasks: readonly TaskPage[], tools: TaskTools): readonly ReadPage[] {
  const pages = tasks.map(({ page, digest }) => ({ ...openPage(page, tools), digest }))
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

/** The error fails this page alone. */
function createUnread(page: ReadPage, error: unknown): ReadPage {
  const read = (): never => {
    throw error
  }
  return { ...page, read }
}

async function renderOne(page: ReadPage, tools: TaskTools): Promise<TaskResult> {
  try {
    const { text, data, shows } = await renderText(page.read(), tools.renderer)
    // Nothing awaits from here on, so that no other page of the task gets into the buffer.
    const digest = hashPage([tools.buffer.encode(text)])
    if (digest === page.digest && tools.buffer.isFile(join(tools.output, page.path)))
      return { data, digest, shows, partial: null }
    const partial = tools.nameFile()
    tools.buffer.write(join(tools.partial, partial))
    return { data, digest, shows, partial }
  } catch (error) {
    return { reason: readMessage(error), errcode: readResultCode(error) }
  }
}

function openPage(page: TaskPage['page'], tools: TaskTools): Omit<ReadPage, 'digest'> {
  if ('data' in page) return { path: page.path, read: () => page.data }
  return { path: formatPageFile(page), read: () => readSellerPage(tools, page) }
}
