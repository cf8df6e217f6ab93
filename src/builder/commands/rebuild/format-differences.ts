/** Formats an explained run: which files would differ, and what in the documents or in the basis differs. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { isRecord, parseJson } from '../../../domain/documents/json.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount } from '../../format-numbers.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import type { DocumentDifference } from '../../state/apply-read.ts'
import { listFirst } from '../terminal/format-lines.ts'

/** Max files, and max documents, that are printed. */
const SHOWN = 50

type Explained = Pick<RebuildOutcome, 'everything' | 'read' | 'differing'>

export function formatDifferences({
  everything,
  read: { differences },
  differing,
}: Explained): readonly string[] {
  const files = [...differing].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return [
    ...(everything === null ? [] : [`Everything is due: ${cleanText(everything)}.`]),
    ...(differences.length === 0 ? [] : [`${formatCount(differences.length, 'document')} changed:`]),
    ...listFirst(differences, formatDifference, { most: SHOWN }),
    files.length === 0 ? 'No file would differ.' : `${formatCount(files.length, 'file')} would differ:`,
    ...listFirst(files, ([path, way]) => `${WAYS[way]} ${path}`, { most: SHOWN }),
    'Nothing was changed.',
  ]
}

const WAYS = { written: 'write', removed: 'remove' } as const

type Fields = Readonly<Record<string, unknown>>

function formatDifference({ collection, id, before, after }: DocumentDifference): string {
  const [old, now] = [parseFields(before), parseFields(after)]
  const kind =
    collection === 'users' ? 'profile' : `product ${formatValue((now ?? old)?.['name'])} (${formatId(id)})`
  const subject = `seller ${formatId((after ?? before)?.seller ?? '')}, ${kind}`
  if (old === null) return `${subject}: added`
  if (now === null) return `${subject}: removed`
  const moved =
    before?.seller === after?.seller ? [] : [`moved from seller ${formatId(before?.seller ?? '')}`]
  const changes = [...moved, ...listChanges('', old, now)]
  return `${subject}: ${changes.length === 0 ? 'only its update time changed' : changes.join(', ')}`
}

function parseFields(state: DocumentDifference['before']): Fields | null {
  const value = state === null ? null : parseJson(state.value)
  return isRecord(value) ? value : null
}

/** Lists the fields that differ. The name of a field in a map includes the name of the map: `_5ml.price`. */
function listChanges(prefix: string, before: Fields, after: Fields): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => {
    const [old, now] = [before[name] ?? null, after[name] ?? null]
    if (isRecord(old) && isRecord(now)) return listChanges(`${prefix}${name}.`, old, now)
    if (JSON.stringify(old) === JSON.stringify(now)) return []
    return [`${prefix}${name} ${formatValue(old)} → ${formatValue(now)}`]
  })
}

/** Max characters of a value. */
const LONGEST = 60

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'number') return value.toLocaleString('en')
  const points = [...(typeof value === 'string' ? value : JSON.stringify(value))]
  const text = points.length <= LONGEST ? points.join('') : `${points.slice(0, LONGEST - 1).join('')}…`
  return typeof value === 'string' ? `"${text}"` : text
}
