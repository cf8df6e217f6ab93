/** Draws the report as an SVG bar chart of times, on one scale. Pure. */
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import type { SubjectId } from './meter.ts'
import type { BenchReport } from './bench-report.ts'
import { formatRatio, formatMeasured } from '../../measure/format-figures.ts'

interface Bar {
  readonly label: string
  readonly id: SubjectId
}

interface Group {
  readonly title: string
  /** The first bar shows Vitrina. */
  readonly bars: readonly Bar[]
  readonly note: string
}

const WIDTH = 800
const LEFT = 176
const RIGHT = 128
const LINE = 30
const THICK = 18
const TOP = 34
const GAP = 26

// The colours are readable on white and on black, because an embedded SVG cannot know the background.
const STYLE = `text{font:15px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#7a808a}
.title{font-weight:600;font-size:16px}
.ours{font-weight:600;fill:#c2384f}
.note{font-size:13px}
.bar{fill:#9aa1ab}
.bar.ours{fill:#c2384f}`

export function formatBars(report: BenchReport): string {
  const groups = listGroups(report)
  const longest = Math.max(...groups.flatMap(({ bars }) => bars.map(({ id }) => findTime(report, id))))
  let y = 0
  const parts: string[] = []
  for (const group of groups) {
    parts.push(formatGroup(group, { report, longest, y }))
    y += TOP + group.bars.length * LINE + (group.note === '' ? 0 : LINE) + GAP
  }
  const height = y - GAP + 8
  const label = groups.map(({ title }) => title).join('; ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(label)}">
<style>${STYLE}</style>
${parts.join('\n')}
</svg>
`
}

function listGroups({ settings, rows }: BenchReport): readonly Group[] {
  const { small, middle, large } = settings.sellers
  const time = (id: SubjectId): string => formatMeasured(rows.find((row) => row.id === id)?.ms ?? 0)
  return [
    {
      title: `One seller of ${formatNumber(middle)} changed`,
      bars: [
        { label: 'Vitrina', id: 'one-middle' },
        { label: 'Eleventy', id: 'eleventy' },
        { label: 'Astro, incremental', id: 'astro-incremental' },
        { label: 'Astro', id: 'astro' },
      ],
      note: `Vitrina among ${formatNumber(small)} sellers: ${time('one-small')}, among ${formatNumber(large)}: ${time('one-large')}`,
    },
    {
      title: `All pages of ${formatNumber(middle)} sellers`,
      bars: [
        { label: 'Vitrina', id: 'new' },
        { label: 'Eleventy', id: 'eleventy' },
        { label: 'Astro', id: 'astro' },
      ],
      note: '',
    },
  ]
}

interface Place {
  readonly report: BenchReport
  readonly longest: number
  readonly y: number
}

function formatGroup({ title, bars, note }: Group, { report, longest, y }: Place): string {
  const ours = findTime(report, bars[0]?.id ?? 'bare')
  const lines = bars.map(({ label, id }, index) => {
    const ms = findTime(report, id)
    const name = index === 0 ? ' ours' : ''
    const ratio = index === 0 ? '' : ` · ${formatRatio(ms / ours)}`
    const top = y + TOP + index * LINE
    const width = Math.max(2, (ms / longest) * (WIDTH - LEFT - RIGHT))
    const middle = top + THICK / 2 + 5
    return `<text class="label${name}" x="${LEFT - 12}" y="${middle}" text-anchor="end">${escape(label)}</text>
<rect class="bar${name}" x="${LEFT}" y="${top}" width="${width.toFixed(1)}" height="${THICK}" rx="3"/>
<text class="value${name}" x="${(LEFT + width + 8).toFixed(1)}" y="${middle}">${formatMeasured(ms)}${ratio}</text>`
  })
  const below = y + TOP + bars.length * LINE + 12
  const last = note === '' ? [] : [`<text class="note" x="${LEFT}" y="${below}">${escape(note)}</text>`]
  const heading = `<text class="title" x="${LEFT}" y="${y + 18}">${escape(title)}</text>`
  return [heading, ...lines, ...last].join('\n')
}

function findTime({ rows }: BenchReport, id: SubjectId): number {
  return rows.find((row) => row.id === id)?.ms ?? 0
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
