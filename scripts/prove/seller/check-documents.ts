/**
 * Builds whole sites of random hostile documents, and checks that each document is shown or reported, and that texts
 * appear in their intended places only.
 */
import { formatCatalogueFile, formatProductFile } from '../../../src/domain/pages/paths.ts'
import { createRandom } from '../../measure/random.ts'
import { explainDifference, fail } from '../difference.ts'
import { formatKey } from '../site/documents.ts'
import type { Stage } from '../site/stage.ts'
import type { HostileSite } from './build-site.ts'
import { buildSite } from './build-site.ts'
import type { PageProblem } from './check-page.ts'
import { checkMarks, checkPage, IN_SEARCH } from './check-page.ts'
import type { ReadMarkup } from './find-marks.ts'
import { findMarks, readMarkup } from './find-marks.ts'
import type { MadeDocument, MadeDocuments } from './made-documents.ts'
import { createMadeDocuments } from './made-documents.ts'

interface HostileDocuments {
  readonly documents: number
  readonly seed: number
  /** Called after each site with the figures of all sites so far. */
  readonly progress: (figures: DocumentFigures) => void
}

export interface DocumentFigures {
  readonly documents: number
  readonly pages: number
  /** Number of documents that the run reported as faulty. */
  readonly named: number
  /** Number of marks found in pages and feeds. The check fails if a mark is in a place that is not permitted. */
  readonly texts: number
}

/** Max hostile documents per site. */
const SITE = 1_000
/** One of every `SEARCHED` documents is searched for. */
const SEARCHED = 50
/** Max characters of a document's text that `describe` shows. */
const SHOWN = 1_500
const FEED = '/feed.xml'

/** Builds and checks sites of `documents` documents in total. Throws a `Difference` if a check fails. */
export async function checkDocuments(
  stage: Stage,
  { documents, seed, progress }: HostileDocuments,
): Promise<DocumentFigures> {
  let sum: DocumentFigures = { documents: 0, pages: 0, named: 0, texts: 0 }
  for (let first = 0; first < documents; first += SITE) {
    const count = Math.min(SITE, documents - first)
    const made = createMadeDocuments(createRandom(seed + first), first, count)
    const figures = await explainDifference(`in the site with document numbers from ${first}`, () =>
      checkSite(made, first, stage),
    )
    sum = {
      documents: first + count,
      pages: sum.pages + figures.pages,
      named: sum.named + figures.named,
      texts: sum.texts + figures.texts,
    }
    progress(sum)
  }
  return sum
}

type SiteFigures = Omit<DocumentFigures, 'documents'>

async function checkSite(made: MadeDocuments, first: number, stage: Stage): Promise<SiteFigures> {
  const isEven = (first / SITE) % 2 === 0
  const settings = isEven
    ? ({ kind: 'folder', photos: 'off' } as const)
    : ({ kind: 'embedded', photos: 'service' } as const)
  const site = await buildSite(made.documents, settings, stage)
  const pages = checkPages(made, site)
  fail(checkFiles(site).map((problem) => describe(problem, made)))
  fail(findUnreported(made, site, pages))
  const searched = await checkSearches(made, site, listNames(made, pages))
  return {
    pages: pages.size + searched,
    named: [...made.byNumber.values()].filter((doc) => site.named.has(formatKey(doc))).length,
    texts: [...pages.values()].reduce((sum, { marks }) => sum + marks.length, 0),
  }
}

type Pages = ReadonlyMap<string, ReadMarkup>

function checkPages(made: MadeDocuments, { files }: HostileSite): Pages {
  const markup = [...files].filter(([path]) => isMarkup(path))
  const pages = new Map(
    markup.map(([path, bytes]) => [path, readMarkup(bytes.toString(), !path.endsWith('.html'))]),
  )
  const names = listNames(made, pages)
  for (const [path, page] of pages) {
    const seller = findSeller(path)
    const isSeller = (number: number): boolean => made.byNumber.get(number)?.seller === seller
    const problems = checkPage(page, { isSeller, names })
    fail(problems.map((problem) => `${path}: ${describe(problem, made)}`))
  }
  return pages
}

/** Returns whether the file is a page or the feed of a seller. */
function isMarkup(path: string): boolean {
  return path.endsWith('.html') || path.endsWith(FEED)
}

/**
 * Returns the names of elements and attributes that any page may have: those in pages that belong to no hostile seller.
 */
function listNames({ sellers }: MadeDocuments, pages: Pages): ReadonlySet<string> {
  return new Set([...pages].flatMap(([path, { names }]) => (sellers.has(findSeller(path)) ? [] : [...names])))
}

/** Returns the problems in files that are neither pages nor feeds. */
function checkFiles({ files }: HostileSite): readonly PageProblem[] {
  return [...files].flatMap(([path, bytes]) =>
    isMarkup(path) ? [] : checkMarks(findMarks(bytes.toString(), path.replace(/\/..\.xml$/, ''))),
  )
}

/** Returns a line for each document that is neither shown nor reported. */
function findUnreported(
  made: MadeDocuments,
  { files, without, failed }: HostileSite,
  pages: Pages,
): readonly string[] {
  const shown = new Set(
    [...pages.values()].flatMap(({ marks }) =>
      marks.flatMap(({ kind, number }) => (kind === 'shown' ? [number] : [])),
    ),
  )
  return [...made.byNumber].flatMap(([number, doc]) => {
    const page = findPage(doc)
    if (without.has(formatKey(doc)) || failed.has(page)) return []
    if (!files.has(page)) return [`${formatKey(doc)} has no page and is not reported: ${doc.text}`]
    return doc.hasMark && !shown.has(number)
      ? [`${formatKey(doc)} is on no page and is not reported: ${doc.text}`]
      : []
  })
}

/** Searches for the names of some documents, and checks the result pages. Returns the number of names searched for. */
async function checkSearches(
  made: MadeDocuments,
  { search }: HostileSite,
  names: ReadonlySet<string>,
): Promise<number> {
  const usual = [readMarkup(await search('rosa')), readMarkup(await search(''))]
  const known = new Set([...names, ...usual.flatMap((page) => [...page.names])])
  const asked = [...made.byNumber.values()].filter((_, index) => index % SEARCHED === 0)
  for (const doc of asked) {
    const page = readMarkup(await search(readName(doc)))
    const problems = checkPage(page, { isSeller: () => true, names: known, more: IN_SEARCH })
    fail(problems.map((problem) => `search for the name in ${formatKey(doc)}: ${describe(problem, made)}`))
  }
  return asked.length
}

function readName({ text }: MadeDocument): string {
  const data = JSON.parse(text) as { readonly name?: unknown; readonly fName?: unknown } | null
  return String(data?.name ?? data?.fName)
}

/** Returns the id of the seller whose page or feed has this path; empty for other files. */
function findSeller(path: string): string {
  const [, seller = ''] = /^catalogo\/(?!404\.html$)([^/]+?)(?:\.html$|\/)/.exec(path) ?? []
  return seller
}

function findPage({ collection, id, seller }: MadeDocument): string {
  return collection === 'users' ? formatCatalogueFile(seller) : formatProductFile(seller, id)
}

function describe({ what, number }: PageProblem, { byNumber }: MadeDocuments): string {
  const doc = number === null ? undefined : byNumber.get(number)
  return doc === undefined ? what : `${what}; the document is ${formatKey(doc)} ${doc.text.slice(0, SHOWN)}`
}
