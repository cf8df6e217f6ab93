/**
 * Writes the pages of sellers and the files that list them. Only rendering fails a page: an error of the disk or of a
 * database ends the run.
 */
import { readMessage } from '../../domain/documents/errors.ts'
import { formatPageFile } from '../../domain/documents/page-address.ts'
import type { PageKey } from '../../domain/documents/page-table.ts'
import type { Page } from '../../domain/pages/page.ts'
import { formatText, isText } from '../../domain/pages/page.ts'
import { listPictureFiles } from '../../domain/pages/page-pictures.ts'
import { findSellerPlace } from '../../domain/pages/paths.ts'
import { LARGEST_FILE } from '../../domain/pages/site.ts'
import { dropLostPhotos } from '../../domain/photos/lost-photos.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { Renderer } from '../renderer/load-renderer.ts'
import { encodePieces } from '../files/file-memory.ts'
import { readResultCode } from '../result-codes.ts'
import type { Output } from '../state/output.ts'
import type { ListFacts, ListTools } from './list-pages.ts'
import { createListPage } from './list-pages.ts'
import type { WantedPage } from './seller-pages.ts'
import { createSellerPages } from './seller-pages.ts'

/** What a writer did. Paths are relative to the output folder. */
export interface Written {
  /** Number of HTML pages whose bytes differed. */
  readonly pages: number
  /** Number of other files whose bytes differed. */
  readonly files: number
  /** Some of the pages whose bytes differed. */
  readonly examples: readonly string[]
  /** Files that are not part of the site any more. They are still there. */
  readonly strays: readonly string[]
  readonly failures: readonly PageFailure[]
  /** Picture files that the pages show; only of a run over everything. */
  readonly shown: Set<string>
  /** Picture files whose bytes differed. */
  readonly pictures: readonly string[]
}

export interface PageFailure {
  /** The seller of the page; empty for a page of no seller. */
  readonly seller: string
  readonly path: string
  readonly reason: string
}

export interface SiteWriter {
  /** Writes the pages of these sellers, each with her pictures before her pages. */
  writeSellers(sellers: readonly string[], progress: (sellers: number) => void): Promise<Written>
  /** Writes pages that belong to no seller. */
  writeLists(keys: readonly PageKey[], facts: ListFacts): Promise<Written>
  close(): Promise<void>
}

export interface WriterTools extends ListTools {
  readonly pictures: Pick<Pictures, 'find' | 'findHome' | 'readFile'>
  readonly output: Output
  readonly renderer: Renderer
  /** True if everything is due, so that no file is trusted. */
  readonly isWhole: boolean
}

const MEBIBYTE = 1024 * 1024

const MOST_EXAMPLES = 8

type Tally = {
  -readonly [Name in keyof Written]: Written[Name] extends readonly (infer Item)[] ? Item[] : Written[Name]
}

function createTally(): Tally {
  return { pages: 0, files: 0, examples: [], strays: [], failures: [], shown: new Set(), pictures: [] }
}

export function joinWritten(parts: readonly Written[]): Written {
  return {
    pages: parts.reduce((sum, { pages }) => sum + pages, 0),
    files: parts.reduce((sum, { files }) => sum + files, 0),
    examples: parts.flatMap(({ examples }) => examples).slice(0, MOST_EXAMPLES),
    strays: parts.flatMap(({ strays }) => strays),
    failures: parts.flatMap(({ failures }) => failures),
    shown: new Set(parts.flatMap(({ shown }) => [...shown])),
    pictures: parts.flatMap(({ pictures }) => pictures),
  }
}

/** Creates a writer that works in this thread. */
export function createSiteWriter(tools: WriterTools): SiteWriter {
  return {
    writeSellers: async (sellers, progress) => {
      const tally = createTally()
      for (const [index, seller] of sellers.entries()) {
        await writeSeller(seller, tools, tally)
        progress(index + 1)
      }
      return tally
    },
    writeLists: async (keys, facts) => {
      const tally = createTally()
      for (const key of keys) {
        const path = formatPageFile(key)
        const create = (): Page | null => createListPage(key, facts, tools)
        const result = await writePage({ path, seller: '', create }, tools, tally)
        if (result === 'unwanted' && tools.output.has(path)) tally.strays.push(path)
      }
      return tally
    },
    close: async () => {},
  }
}

/** Writes one page after another, because a seller may have thousands. A page that fails stays as it is. */
async function writeSeller(seller: string, tools: WriterTools, tally: Tally): Promise<void> {
  const found = tools.reads.readCatalogue(seller, tools.maxProducts)
  const pages = found === null ? [] : createSellerPages(dropLostPhotos(found, tools.publicFiles), tools)
  const wanted = new Set<string>()
  let isFailing = false
  for (const page of pages) {
    const result = await writePage({ ...page, seller }, tools, tally)
    if (result === 'failed') isFailing = true
    if (result === 'present') wanted.add(page.path)
  }
  // Nothing of a failing seller is removed, because her old pages may link to each other.
  if (isFailing) return
  tally.strays.push(...listPlace(seller, tools.output).filter((path) => !wanted.has(path)))
}

/** Returns what lies in a seller's place: the file of her catalogue, and everything in the folder beside it. */
function listPlace(seller: string, output: Output): readonly string[] {
  const { file, folder } = findSellerPlace(seller)
  const entries = output.list(folder.slice(0, -1)).map(({ path }) => path)
  return output.has(file) ? [file, ...entries] : entries
}

interface RenderedPage {
  /** They are valid until the next page is rendered. */
  readonly bytes: Uint8Array
  readonly pictures: readonly PictureFile[]
  readonly isHtml: boolean
}

/** Renders a page, and writes its pictures, then the page. `unwanted` is a page that should not exist. */
async function writePage(
  { path, seller, create }: WantedPage & { readonly seller: string },
  tools: WriterTools,
  tally: Tally,
): Promise<'present' | 'unwanted' | 'failed'> {
  let rendered: RenderedPage
  try {
    const page = create()
    if (page === null) return 'unwanted'
    const bytes = await renderPage(page, tools)
    rendered = { bytes, pictures: readPictures(page, tools, tally.shown), isHtml: !isText(page) }
  } catch (error) {
    // A database that cannot be read ends the run.
    if (readResultCode(error) > 0) throw error
    tally.failures.push({ seller, path, reason: readMessage(error) })
    return 'failed'
  }
  const { bytes, pictures, isHtml } = rendered
  const written = pictures.filter((picture) => tools.output.write(picture.path, picture.bytes))
  tally.pictures.push(...written.map((picture) => picture.path))
  if (!tools.output.write(path, bytes)) return 'present'
  if (isHtml && tally.examples.length < MOST_EXAMPLES) tally.examples.push(path)
  tally[isHtml ? 'pages' : 'files'] += 1
  return 'present'
}

async function renderPage(page: Page, { site, renderer }: WriterTools): Promise<Uint8Array> {
  const bytes = encodePieces(isText(page) ? [formatText(page, site)] : await renderer.render(page))
  if (bytes.byteLength <= LARGEST_FILE) return bytes
  const size = (bytes.byteLength / MEBIBYTE).toFixed(1)
  throw new Error(
    `the page has ${size} MiB, and the edge serves files of up to ${LARGEST_FILE / MEBIBYTE} MiB: move some of its products to another seller`,
  )
}

interface PictureFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Returns the picture files of the page that the output folder may lack. */
function readPictures(
  page: Page,
  { pictures, output, isWhole }: WriterTools,
  shown: Set<string>,
): readonly PictureFile[] {
  const files = listPictureFiles(page).filter((path) => !shown.has(path))
  // The name of a picture contains the hash of its bytes, so a file of a run that ended is right.
  const wanted = files.filter((path) => isWhole || !output.has(path))
  const found = wanted.map((path) => {
    const bytes = pictures.readFile(path)
    if (bytes === null) throw new Error(`the picture store has lost ${path}`)
    return { path, bytes }
  })
  for (const path of files) shown.add(path)
  return found
}
