/** Checks every file of a built site, one after the other, and weighs its pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { formatPath } from '../../../src/builder/files/file-hashes.ts'
import { PARTIAL } from '../../../src/builder/state/output.ts'
import { findPage } from '../../../src/domain/documents/page-address.ts'
import type { PageKind } from '../../../src/domain/documents/page-table.ts'
import { isTextKind } from '../../../src/domain/documents/page-table.ts'
import type { BuiltPage, PageCheck } from './built-page.ts'
import { createPage } from './built-page.ts'
import { checkSharing } from './check-sharing.ts'
import { findReferences, listAnswers } from './find-references.ts'
import { createMarkupCheck } from './markup.ts'
import { createSupportCheck } from './old-browsers.ts'
import { checkAttributes, checkHeaders, createPolicyCheck, readPolicy } from './policy.ts'
import { checkStructuredData } from './structured-data.ts'

interface PageWeight {
  readonly path: string
  /** Compressed with brotli, in bytes. */
  readonly bytes: number
  readonly budget: number
}

interface KindSummary {
  readonly count: number
  /** The page of this kind whose size is closest to its budget, or furthest above it. */
  readonly heaviest: PageWeight
}

export interface SiteReport {
  readonly files: number
  readonly kinds: ReadonlyMap<PageKind, KindSummary>
  /** Each problem begins with the path of its file. */
  readonly problems: readonly string[]
}

interface BuiltSite {
  /** Paths relative to the folder, with `/` as separator. Files that are never published are omitted. */
  readonly paths: ReadonlySet<string>
  read(path: string): string
}

const HEADERS = '_headers'
const LINKING = /\.(html|js|css|webmanifest)$/

/** Brotli quality that edge servers use for files compressed on the fly. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Max compressed size of each kind of page in bytes, including inlined styles and scripts. */
const BUDGETS = {
  home: 4_000,
  product: 8_000,
  'unknown-product': 3_000,
  poster: 10_000,
  'not-found': 3_000,
  'unknown-catalogue': 8_200,
  search: 14_000,
} as const
const CATALOGUE = { budget: 14_000, products: 30, eachMore: 300 }

/** Throws if the folder does not exist. */
export async function checkSite(folder: string): Promise<SiteReport> {
  const site = openBuiltSite(folder)
  const headers = site.paths.has(HEADERS) ? site.read(HEADERS) : ''
  const support = createSupportCheck()
  const checks = [
    createMarkupCheck(),
    checkSharing,
    checkStructuredData,
    createPolicyCheck(readPolicy(headers)),
    checkAttributes,
    support.checkPage,
  ]
  const kinds = new Map<PageKind, KindSummary>()
  const problems = checkHeaders(headers).map((problem) => `${HEADERS} ${problem}`)
  for (const path of site.paths) {
    const found = [
      ...(await checkFile(path, site)),
      ...checkPage(path, site, { checks, kinds }),
      ...(path.endsWith('.js') ? support.checkScript(site.read(path)) : []),
    ]
    problems.push(...found.map((problem) => `${path} ${problem}`))
  }
  return { files: site.paths.size, kinds, problems }
}

function openBuiltSite(folder: string): BuiltSite {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map((entry) => formatPath(join(entry.parentPath, entry.name).slice(folder.length + 1)))
  return {
    paths: new Set(paths.filter((path) => !path.startsWith(`${PARTIAL}/`)).sort()),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  }
}

function checkPage(
  path: string,
  site: BuiltSite,
  { checks, kinds }: { checks: readonly PageCheck[]; kinds: Map<PageKind, KindSummary> },
): readonly string[] {
  const kind = findPage(path)?.kind
  if (kind === undefined || isTextKind(kind)) return []
  const page = createPage(path, kind, site.read(path))
  kinds.set(kind, addWeight(kinds.get(kind), weighPage(page)))
  return [...checkWeight(page), ...checks.flatMap((check) => check(page))]
}

export const checkWeight: PageCheck = (page) => {
  const { bytes, budget } = weighPage(page)
  if (bytes <= budget) return []
  return [`weighs ${bytes} bytes compressed with brotli, but at most ${budget} are allowed`]
}

function weighPage({ path, kind, html, cards }: BuiltPage): PageWeight {
  const more = Math.max(0, cards.length - CATALOGUE.products)
  const budget = kind === 'catalogue' ? CATALOGUE.budget + more * CATALOGUE.eachMore : BUDGETS[kind]
  return { path, bytes: brotliCompressSync(html, QUALITY).length, budget }
}

function addWeight(summary: KindSummary | undefined, weight: PageWeight): KindSummary {
  if (summary === undefined) return { count: 1, heaviest: weight }
  const { count, heaviest } = summary
  const isNearer = weight.bytes / weight.budget > heaviest.bytes / heaviest.budget
  return { count: count + 1, heaviest: isNearer ? weight : heaviest }
}

/** Checks that the references of a file resolve, and that it is no source map. */
async function checkFile(path: string, site: BuiltSite): Promise<readonly string[]> {
  if (path.endsWith('.map')) return ['is a source map']
  if (!LINKING.test(path)) return []
  const text = site.read(path)
  const references = path.endsWith('.webmanifest') ? findIcons(text) : await findReferences(path, text)
  const lost = new Set(references.filter((reference) => !leadsSomewhere(reference, site)))
  return [
    ...[...lost].map((reference) => `refers to ${reference}, which is not there`),
    ...(/[#@] sourceMappingURL=/.test(text) ? ['names a source map'] : []),
  ]
}

function leadsSomewhere(reference: string, { paths }: BuiltSite): boolean {
  return listAnswers(reference).some((path) => paths.has(path))
}

function findIcons(manifest: string): readonly string[] {
  const { icons = [] }: { icons?: readonly { src: string }[] } = JSON.parse(manifest)
  return icons.map(({ src }) => src)
}
