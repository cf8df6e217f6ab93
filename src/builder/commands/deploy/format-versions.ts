/** Formats the list of versions. */
import { cleanText } from '../../../domain/documents/text.ts'
import type { Hosted, HostedVersion } from '../../publish/hosted-versions.ts'

const MARKS = { live: 'live', before: 'was live', other: '' }

export function formatVersions(hosted: Hosted): readonly string[] {
  if (hosted.versions.length === 0) return ['No version was uploaded yet.']
  const mark = ({ version }: HostedVersion): string => {
    if (hosted.live.includes(version)) return MARKS.live
    return hosted.deployed.includes(version) ? MARKS.before : MARKS.other
  }
  const rows = hosted.versions.map((one): readonly string[] =>
    [mark(one), one.version, one.tag || one.trigger || '-', formatTime(one.created), one.message].map(
      cleanText,
    ),
  )
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** `2026-11-22 09:20 UTC` */
function formatTime(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
}
