/** Checks every file of a built site, one after the other. */
import { findReferences, listAnswers } from './find-references.ts'
import type { PageKind } from '../../../src/domain/documents/page-table.ts'
import type { PageWeight } from './budgets.ts'
import { checkWeight, weighPage } from './budgets.ts'
import { checkAttributes, checkIds, checkImages, checkMarkup, checkPlaces } from './markup.ts'
import type { PageCheck } from './built-page.ts'
import { createPage } from './built-page.ts'
import { checkHeaders, createPolicyCheck, readPolicy } from './policy.ts'
import { checkSharing } from './check-sharing.ts'
import type { BuiltSite } from './built-site.ts'
import { findKind } from './built-site.ts'
import { checkStructuredData } from './structured-data.ts'
import { createSupportCheck } from './old-browsers.ts'
import { createValidityCheck } from './validity.ts'

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

const HEADERS = '_headers'
const LINKING = /\.(html|js|css|webmanifest)$/
const CHECKS: readonly PageCheck[] = [
  checkMarkup,
  checkPlaces,
  checkIds,
  checkImages,
  checkAttributes,
  checkSharing,
  checkStructuredData,
]

export async function checkSite(site: BuiltSite): Promise<SiteReport> {
  const headers = site.paths.has(HEADERS) ? site.read(HEADERS) : ''
  const support = createSupportCheck()
  const checks = [...CHECKS, createValidityCheck(), createPolicyCheck(readPolicy(headers)), support.checkPage]
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

function checkPage(
  path: string,
  site: BuiltSite,
  { checks, kinds }: { checks: readonly PageCheck[]; kinds: Map<PageKind, KindSummary> },
): readonly string[] {
  const kind = findKind(path)
  if (kind === null) return []
  const page = createPage(path, kind, site.read(path))
  const weight = weighPage(page)
  kinds.set(kind, addWeight(kinds.get(kind), weight))
  return [...checkWeight(weight), ...checks.flatMap((check) => check(page))]
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
