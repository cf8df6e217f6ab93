/** How many files the edge takes, and what to do before a site with photos has more. */
import { formatNumber } from '../format-numbers.ts'

/** Of the paid plan and of the free one. Source: https://developers.cloudflare.com/workers/platform/limits/ */
export const MOST_FILES = 100_000
export const FREE_FILES = 20_000

/** `pictures` are photos and pictures for shared links, which are counted in `files` too. */
export interface FileCount {
  readonly files: number
  readonly pictures: number
}

/** From this part of a limit on it is spoken of: a site reaches it weeks before it is full. */
const NEAR = 0.8

/** One line for people; `null` where there is room. */
export function formatFileLimit({ files, pictures }: FileCount): string | null {
  const limit = [FREE_FILES, MOST_FILES].find((most) => files <= most && files >= most * NEAR)
  if (limit !== undefined)
    return `${formatNumber(files)} of the ${formatNumber(limit)} files that ${limit === FREE_FILES ? 'the free plan' : 'the edge'} takes${formatAdvice(pictures)}`
  return files > FREE_FILES && files <= MOST_FILES
    ? `more than the free plan's ${formatNumber(FREE_FILES)} files${formatAdvice(pictures)}`
    : null
}

/** Why such a site cannot be published; `null` when it can. */
export function findSurplus({ files, pictures }: FileCount): string | null {
  return files <= MOST_FILES
    ? null
    : `${formatNumber(files)} files are more than the edge takes (${formatNumber(MOST_FILES)})${formatAdvice(pictures)}`
}

function formatAdvice(pictures: number): string {
  return pictures === 0
    ? ''
    : `, ${formatNumber(pictures)} of them pictures: PHOTOS=service needs no files for photos`
}
