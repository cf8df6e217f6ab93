/** Formats the finding on each assumption, for the terminal and as a report. */
import { formatCanonicalJson } from '../../../domain/documents/json.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { Paint } from '../terminal/paint.ts'
import { wrapText } from '../terminal/paint.ts'
import type { Assumption } from './asking.ts'

export type Finding = { readonly assumption: Assumption } & (
  | {
      readonly state: 'holds' | 'differs'
      /** The answer as canonical JSON, or the reason why there is none. */
      readonly found: string
      /** The measurement; empty if there is none. */
      readonly note: string
    }
  /** `lack` is the missing setting or option without which the assumption cannot be checked. */
  | { readonly state: 'not asked'; readonly lack: string }
)

const COLORS = { holds: 'green', differs: 'red', 'not asked': 'yellow' } as const
const INDENT = 11

export function formatFinding(finding: Finding, { columns, color }: Paint): string {
  const { assumption, state } = finding
  const room = columns === null ? null : columns - INDENT
  const line = (text: string): string => `${' '.repeat(INDENT)}${wrapText(cleanText(text), room, INDENT)}`
  const claim = `${assumption.claim}${describe(finding)}`
  const first = color(COLORS[state], state.padEnd(INDENT)) + wrapText(cleanText(claim), room, INDENT)
  if (finding.state !== 'differs') return first
  return [
    first,
    line(`expected ${formatCanonicalJson(assumption.expected)}`),
    line(`found    ${finding.found}`),
    line(`relied on by ${assumption.reliesOn}`),
  ].join('\n')
}

function describe(finding: Finding): string {
  if (finding.state === 'not asked') return `: needs ${finding.lack}`
  return finding.note === '' ? '' : ` (${finding.note})`
}

/** Returns a text such as `25 assumptions hold, 1 differs, 2 were not asked`. */
export function countFindings(findings: readonly Finding[]): string {
  const count = (state: Finding['state']): number => findings.filter((one) => one.state === state).length
  const [holds, differs, rest] = [count('holds'), count('differs'), count('not asked')]
  return [
    `${holds} ${holds === 1 ? 'assumption holds' : 'assumptions hold'}`,
    ...(differs === 0 ? [] : [`${differs} ${differs === 1 ? 'differs' : 'differ'}`]),
    ...(rest === 0 ? [] : [`${rest} ${rest === 1 ? 'was' : 'were'} not asked`]),
  ].join(', ')
}

/** Returns the report in Markdown. */
export function formatReport(address: string, findings: readonly Finding[]): string {
  const rows = findings.map((finding) => {
    const { assumption, state } = finding
    const found =
      finding.state === 'not asked'
        ? `needs ${finding.lack}`
        : [finding.found, finding.note].filter(Boolean).join('; ')
    const cells = [
      state,
      assumption.claim,
      formatCanonicalJson(assumption.expected),
      found,
      assumption.reliesOn,
    ]
    return `| ${cells.map((cell) => cleanText(cell).replaceAll('|', '\\|')).join(' | ')} |`
  })
  return [
    `# What the project assumes about its services, checked against ${address || 'no account'}`,
    '',
    `${countFindings(findings)}.`,
    '',
    '| finding | assumption | expected | found | relied on by |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
