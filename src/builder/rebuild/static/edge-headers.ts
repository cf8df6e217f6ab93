/**
 * The file `_headers`: rules for the edge. Its content security policy allows the inline code of every renderer that
 * made a page in the output folder, as far as the max length of a line permits.
 */
import { SEARCH_PATH } from '../../../domain/documents/page-table.ts'
import { PHOTO_FOLDER, SOCIAL_FOLDER } from '../../../domain/photos/picture.ts'
import type { KeptRenderer } from '../../renderer/compile.ts'
import type { InlineHashes } from '../../renderer/compiled-lists.ts'
import type { SiteRecord } from '../../state/record/record.ts'
import { listSecurityHeaders } from './security-headers.ts'
import { SERVICE_WORKER } from './service-worker.ts'

export const HEADERS = '_headers'

/** The folder of search files, which only the Worker reads. */
const SEARCH_FOLDER = `${SEARCH_PATH}/*`

// Set for each file, because a rule for the folder would also make the 404 of a missing file immutable.
const IMMUTABLE = 'Cache-Control: public, max-age=31536000, immutable'

// Cache rule for folders with too many files for one rule per file. The rule also applies to the 404 of a missing file,
// so `max-age` is short. After that time, a cached photo is still shown at once and checked in the background.
const REVALIDATED = 'Cache-Control: public, max-age=86400, stale-while-revalidate=31536000'

/**
 * Returns the content of `_headers`. `assets` are the paths of the hashed files. Throws if the record lacks the inline
 * code of this generation.
 */
export function createHeaders(record: SiteRecord, generation: number, assets: readonly string[]): string {
  const known = record.readInlineCode()
  const present = known.find((code) => code.generation === generation)
  if (present === undefined)
    throw new Error(
      `cannot write _headers: the record lacks the hashes of the inline scripts and styles of generation ${generation}`,
    )
  const inUse = record.readEarlierGenerations(generation)
  // Leaves out generations without known inline code: records of earlier versions of this program do not have it.
  const earlier = inUse.flatMap((one) => known.find((code) => code.generation === one) ?? [])
  return formatHeaders(assets, present, earlier)
}

export function isInlineCodeKnown(record: SiteRecord, generation: number): boolean {
  return record.readInlineCode().some((code) => code.generation === generation)
}

/**
 * Records the inline code of a generation. Must run before `_headers` is created, because `_headers` allows only
 * recorded inline code.
 */
export function recordInlineCode(record: SiteRecord, generation: number, { inline }: KeptRenderer): void {
  const known = record.readInlineCode()
  const present = known.find((code) => code.generation === generation)
  if (present !== undefined && isSame(present, inline)) return
  const others = known.filter((code) => code !== present)
  record.writeInlineCode([...others, { generation, scripts: inline.scripts, styles: inline.styles }])
}

/** Deletes the recorded inline code of earlier generations that no page in the output folder has. */
export function forgetInlineCode(record: SiteRecord, generation: number): void {
  const known = record.readInlineCode()
  const inUse = new Set([generation, ...record.readEarlierGenerations(generation)])
  const left = known.filter((code) => inUse.has(code.generation))
  if (left.length < known.length) record.writeInlineCode(left)
}

/**
 * `earlier` has the inline code of earlier generations, the most important first. Generations whose inline code would
 * make the policy too long are left out. Source: https://developers.cloudflare.com/workers/static-assets/headers/
 */
export function formatHeaders(
  assets: readonly string[],
  inline: InlineHashes,
  earlier: readonly InlineHashes[] = [],
): string {
  return [
    formatRule('/*', listSecurityHeaders(inline, earlier)),
    formatRule(`/${SERVICE_WORKER}`, ['Cache-Control: no-cache']),
    ...assets.toSorted().map((path) => formatRule(`/${path}`, [IMMUTABLE])),
    formatRule(SEARCH_FOLDER, ['X-Robots-Tag: noindex']),
    ...[PHOTO_FOLDER, SOCIAL_FOLDER].map((folder) => formatRule(`/${folder}*`, [REVALIDATED])),
  ].join('')
}

function formatRule(path: string, headers: readonly string[]): string {
  return [path, ...headers.map((header) => `  ${header}`), ''].join('\n')
}

function isSame(one: InlineHashes, other: InlineHashes): boolean {
  return one.scripts.join() === other.scripts.join() && one.styles.join() === other.styles.join()
}
