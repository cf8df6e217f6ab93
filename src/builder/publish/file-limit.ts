/** Cloudflare's limits on the number of files, with a warning before a site reaches them. */
import type { PageSwitch, SwitchEntry } from '../../domain/documents/page-switches.ts'
import { mapSwitches } from '../../domain/documents/page-switches.ts'
import { formatNumber } from '../format-numbers.ts'

/** Max files of a site on the free plan. Source: https://developers.cloudflare.com/workers/platform/limits/ */
export const FREE_FILES = 20_000
/** Max files of a site on the paid plan. */
export const MOST_FILES = 100_000

/**
 * `files` counts all files, including those in the other fields. `pictures` counts photos and pictures for shared
 * links. `switched` counts, for each setting, the pages that exist only because of that setting.
 */
export interface FileCount {
  readonly files: number
  readonly pictures: number
  readonly switched: Readonly<Record<PageSwitch, number>>
}

/** Share of a limit from which on a warning is printed, usually weeks before a growing site reaches the limit. */
const NEAR = 0.8

/**
 * Returns one line to print if a limit is near or the free plan's limit is passed; otherwise `null`. Also returns
 * `null` beyond `MOST_FILES`, which `findSurplus` reports.
 */
export function formatFileLimit(count: FileCount): string | null {
  const { files } = count
  const limit = [FREE_FILES, MOST_FILES].find((most) => files <= most && files >= most * NEAR)
  if (limit !== undefined)
    return `${formatNumber(files)} of the ${formatNumber(limit)} files that ${limit === FREE_FILES ? 'the free plan' : 'Cloudflare'} allows${formatAdvice(count)}`
  return files > FREE_FILES && files <= MOST_FILES
    ? `more than the free plan's ${formatNumber(FREE_FILES)} files${formatAdvice(count)}`
    : null
}

/** Returns a message if the site has too many files to be published; otherwise `null`. */
export function findSurplus(count: FileCount): string | null {
  const { files } = count
  return files <= MOST_FILES
    ? null
    : `${formatNumber(files)} files are more than Cloudflare allows (${formatNumber(MOST_FILES)})${formatAdvice(count)}`
}

function formatSwitched(count: number, { files, variable }: Pick<SwitchEntry, 'files' | 'variable'>): string {
  return count === 0 ? '' : `, ${formatNumber(count)} ${files} (none with ${variable}=off)`
}

function formatAdvice({ pictures, switched }: FileCount): string {
  return [
    ...(pictures === 0
      ? []
      : [`, ${formatNumber(pictures)} of them pictures (photos need no files with PHOTOS=service)`]),
    ...Object.values(mapSwitches((name, entry) => formatSwitched(switched[name], entry))),
  ].join('')
}
