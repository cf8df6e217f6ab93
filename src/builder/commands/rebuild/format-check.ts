/** Formats what a check of every file compared, repaired and deleted. */
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount, formatNumber } from '../../format-numbers.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import type { LabelledRow } from '../terminal/format-lines.ts'

const SHOWN = 5

const FOREIGN = [
  'not of this site, left alone and never published',
  'not of this site, left alone and never published',
] as const

/** Returns rows for the table of a rebuild. The text of the row `checked` is `null` if nothing was checked. */
export function formatCheckRows(outcome: RebuildOutcome): readonly LabelledRow[] {
  const repaired = listRepaired(outcome)
  const { deleted } = outcome
  const checked = countChecked(outcome)
  const isClean = repaired.length === 0 && deleted.length === 0 && outcome.failures.length === 0
  return [
    ['checked', checked !== null && isClean ? `${checked}: all as recorded` : checked],
    ...formatFiles('repaired', repaired, ['that was missing or changed', 'that were missing or changed']),
    ...formatFiles('deleted', deleted, ['that is not part of the site', 'that are not part of the site']),
    ...formatFiles('foreign', outcome.preparation.check?.foreign ?? [], FOREIGN),
  ]
}

/** Returns sentences for a run that had nothing to do; none if nothing was checked. */
export function formatCleanCheck(outcome: RebuildOutcome): readonly string[] {
  const checked = countChecked(outcome)
  const foreign = outcome.preparation.check?.foreign ?? []
  const rows = formatFiles('Foreign', foreign, FOREIGN).map(([name, words]) => `${name}: ${words}.`)
  return checked === null ? [] : [`Checked ${checked}: all as recorded.`, ...rows]
}

/** Returns the sentence for a dry run; none if no recorded file was checked. */
export function formatDryCheck({ preparation: { check } }: RebuildOutcome): readonly string[] {
  if (check === null || check.files === 0) return []
  const found = [
    ...formatFound(check.damaged, 'missing or changed'),
    ...formatFound([...check.blocking, ...check.unlisted], 'not in the record'),
    ...formatFound(check.foreign, 'not of this site'),
  ]
  return [
    `Checked ${formatCount(check.files, 'file')}: ${found.length === 0 ? 'all as recorded' : found.join(', ')}.`,
  ]
}

function countChecked({ preparation: { check }, references }: RebuildOutcome): string | null {
  if (check === null || (check.files === 0 && references === null)) return null
  const files = formatCount(check.files, 'file')
  return references === null ? files : `${files} and ${formatCount(references, 'reference')}`
}

// Leaves out damaged files that are listed elsewhere: as failed pages, or as deleted files.
function listRepaired({ preparation: { check }, failures, deleted }: RebuildOutcome): readonly string[] {
  const others = new Set([...failures.map(({ path }) => path), ...deleted])
  return check === null ? [] : check.damaged.filter((path) => !others.has(path))
}

function formatFiles(
  name: string,
  files: readonly string[],
  [one, several]: readonly [string, string],
): readonly LabelledRow[] {
  if (files.length === 0) return []
  const kind = files.length === 1 ? one : several
  return [[name, `${formatCount(files.length, 'file')} ${kind}: ${listFirst(files)}`]]
}

function formatFound(files: readonly string[], kind: string): readonly string[] {
  return files.length === 0 ? [] : [`${formatCount(files.length, 'file')} ${kind} (${listFirst(files)})`]
}

function listFirst(files: readonly string[]): string {
  const more = files.length > SHOWN ? ` and ${formatNumber(files.length - SHOWN)} more` : ''
  return `${files.slice(0, SHOWN).map(cleanText).join(', ')}${more}`
}
