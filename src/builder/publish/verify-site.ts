/** Verifies the output folder before a publish: files changed since the last publish, or all files. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PHOTO_FOLDER, SOCIAL_FOLDER } from '../../domain/photos/picture.ts'
import type { PageSwitch } from '../../domain/documents/page-switches.ts'
import { mapSwitches } from '../../domain/documents/page-switches.ts'
import { findEntry } from '../../domain/documents/page-table.ts'
import { findPage } from '../../domain/documents/page-address.ts'
import { formatNumber } from '../format-numbers.ts'
import { formatPath, hashBytes } from '../state/manifest.ts'
import { IDENTITY_FILE } from '../state/output/output-identity.ts'
import { PARTIAL } from '../state/output/output.ts'
import type { FileRow } from '../state/record/record.ts'
import { LARGEST_FILE } from '../rebuild/render/render-page.ts'
import type { CheckedSite } from '../rebuild/check/check-references.ts'
import type { ReferenceTest } from '../rebuild/check/find-references.ts'
import { createReferenceTest, findReferences } from '../rebuild/check/find-references.ts'
import type { FileCount } from './file-limit.ts'
import { findSurplus } from './file-limit.ts'
import { PublishError } from './publish-error.ts'
import type { PublishedState } from './published-state.ts'

interface VerifyOptions extends CheckedSite {
  /** The output folder. */
  readonly folder: string
  readonly published: PublishedState
  /** True if all files are verified, not only changed ones. */
  readonly isFull: boolean
}

/** The result of a verification. Its counts include all files that Cloudflare will serve, not only changed ones. */
export interface Verification extends FileCount {
  /** Paths that are new, or whose bytes differ from their last verification. */
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/** Paths that the deploy tool skips silently. */
const SKIPPED = /(^|\/)(node_modules|\.git|\.DS_Store)(\/|$)/
/** Files that configure Cloudflare. They do not count towards the file limit, because they are not served. */
const RULES = /^(_headers|_redirects|\.assetsignore)$/
const PICTURES = [PHOTO_FOLDER, SOCIAL_FOLDER]
const CHECKED = /\.(html|js)$/
const SHOWN = 5

/**
 * Throws a `PublishError` if the site has too many files, or if its files have problems; the message then lists the
 * first ones. The list of verified files becomes durable when the site is published.
 */
export async function verifySite(options: VerifyOptions): Promise<Verification> {
  options.published.begin()
  const foreign = findForeign(options)
  const leadsSomewhere = createReferenceTest(options)
  const { wrong, ...verification } = await verifyFiles(options, leadsSomewhere)
  const surplus = findSurplus(verification)
  if (surplus !== null) throw new PublishError(`The site cannot be published: ${surplus}.`)
  const problems = [...foreign, ...wrong, ...findLost(verification.removed, options, leadsSomewhere)]
  if (problems.length > 0) throw new PublishError(formatProblems(problems))
  return verification
}

/**
 * Returns a problem for each file in the folder that is not a regular file of the site, and for each file of the site
 * that the deploy tool would skip. Ignores the marker and partial files.
 */
function findForeign({ folder, record }: VerifyOptions): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => {
    const path = formatPath(join(entry.parentPath, entry.name).slice(join(folder, '/').length))
    if (path === IDENTITY_FILE || path === PARTIAL || path.startsWith(`${PARTIAL}/`)) return []
    // A path that the deploy tool skips is a problem only if it is a file of the site. A `.git` folder, for example, is
    // ignored.
    if (SKIPPED.test(path))
      return record.hasFile(path)
        ? [`${path} would be skipped by the deploy tool: rename or remove it in the public folder`]
        : []
    if (entry.isDirectory()) return []
    if (!entry.isFile()) return [`${path} is a symbolic link or another special file`]
    return record.hasFile(path)
      ? []
      : [`${path} does not belong to this site: move it out of the output folder`]
  })
}

interface Verified extends Verification {
  readonly wrong: readonly string[]
}

async function verifyFiles(
  { folder, record, published, isFull }: VerifyOptions,
  leadsSomewhere: ReferenceTest,
): Promise<Verified> {
  const changed: string[] = []
  const wrong: string[] = []
  let files = 0
  let pictures = 0
  const switched = { ...mapSwitches(() => 0) }
  for (const row of record.readFiles()) {
    if (!RULES.test(row.path)) files += 1
    if (PICTURES.some((where) => row.path.startsWith(where))) pictures += 1
    const name = findSwitch(row.path)
    if (name !== undefined) switched[name] += 1
    const isChanged = published.findDigest(row.path) !== row.digest
    if (isChanged) changed.push(row.path)
    if (!isChanged && !isFull) continue
    for (const problem of await verifyFile(row, { folder, published, leadsSomewhere })) wrong.push(problem)
  }
  const removed = [...published.readPaths()].filter((path) => !record.hasFile(path))
  for (const path of removed) published.drop(path)
  return { files, pictures, switched, changed, removed, wrong }
}

function findSwitch(path: string): PageSwitch | undefined {
  const page = findPage(path)
  return page === null ? undefined : findEntry(page.kind).switch
}

async function verifyFile(
  { path, digest, seller }: FileRow,
  {
    folder,
    published,
    leadsSomewhere,
  }: Pick<VerifyOptions, 'folder' | 'published'> & { readonly leadsSomewhere: ReferenceTest },
): Promise<readonly string[]> {
  const file = join(folder, path)
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return [`${path} is missing`]
  if (stats.size > LARGEST_FILE)
    return [
      `${path} is larger than Cloudflare allows (25 MiB): if it is from the public folder, make it smaller there`,
    ]
  const bytes = readFileSync(file)
  if (hashBytes(bytes) !== digest) return [`${path} differs from the rendered file`]
  const links = CHECKED.test(path) ? await findReferences(path, new TextDecoder().decode(bytes)) : []
  published.keep(path, digest, links)
  return [...new Set(links)]
    .filter((link) => !leadsSomewhere(link, seller))
    .map((link) => `${path} refers to ${link}, which does not exist`)
}

/**
 * Returns problems for verified files that refer to a removed file: at most `SHOWN` for each address of the removed
 * file.
 */
function findLost(
  removed: readonly string[],
  { published, record }: Pick<VerifyOptions, 'published' | 'record'>,
  leadsSomewhere: ReferenceTest,
): readonly string[] {
  return removed.flatMap(listAddresses).flatMap((address) => {
    if (leadsSomewhere(address, null)) return []
    const problems: string[] = []
    for (const path of published.findReferring(address)) {
      if (leadsSomewhere(address, record.findFile(path)?.seller ?? null)) continue
      problems.push(`${path} refers to ${address}, which was removed`)
      if (problems.length === SHOWN) break
    }
    return problems
  })
}

/** Returns the paths of the site at which this file is served. Inverse of `listAnswers`. */
function listAddresses(path: string): readonly string[] {
  const short = path.endsWith('.html') ? [`/${path.slice(0, -'.html'.length)}`] : []
  return [`/${path}`, ...short, ...(path === 'index.html' ? ['/'] : [])]
}

function formatProblems(problems: readonly string[]): string {
  const more = problems.length > SHOWN ? `; and ${formatNumber(problems.length - SHOWN)} more` : ''
  return `The site in the output folder cannot be published: ${problems.slice(0, SHOWN).join('; ')}${more}. Run npm run rebuild -- --verify, which writes missing and changed files again.`
}
