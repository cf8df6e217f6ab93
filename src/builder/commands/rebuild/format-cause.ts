/** Formats the causes of a planned page for people. The caller cleans the text for the terminal. */
import { formatId } from '../../../domain/documents/format-id.ts'
import type { Json } from '../../../domain/documents/json.ts'
import { mapSwitches } from '../../../domain/documents/page-switches.ts'
import { PAGE_KINDS } from '../../../domain/documents/page-table.ts'
import { formatNumber } from '../../format-numbers.ts'
import type { Cause } from '../../rebuild/plan/explain-plan.ts'
import type { DocumentDifference, DocumentState, ListingChange } from '../../state/snapshot/differences.ts'

type Formats = { readonly [K in Cause['kind']]: (cause: Extract<Cause, { kind: K }>) => string }

const FORMATS: Formats = {
  document: ({ seller, difference }) => formatDifference(seller, difference),
  'more documents': ({ count }) => `and ${formatNumber(count)} more`,
  unfinished: () =>
    'an earlier run read documents and did not finish their pages: what changed is no longer known',
  listing: ({ change }) => formatListing(change),
  store: ({ seller, isThere }) =>
    `seller ${formatId(seller)}, to whom the page links: ${isThere ? 'added' : 'removed'}`,
  'sitemap files': () => 'the list of sitemap files has changed',
  'listed products': () => 'products that it lists have changed',
  photo: ({ address }) => `photo ${address}: its small picture is new or changed`,
  'social picture': () => 'the picture for shared links is new or changed',
  'lost picture': ({ file }) => `picture ${file}: not shown any more`,
  'public photo': ({ path, isThere }) =>
    `photo ${path}: ${isThere ? 'now in' : 'no longer in'} the public folder`,
  settings: ({ before, after }) => formatSettings(before, after),
  runtime: ({ before, after }) => `${before} → ${after}`,
  'page code': ({ page, before, after }) =>
    `code of ${PAGE_KINDS[page].name}: ${shorten(before)} → ${shorten(after)}`,
  'data code': ({ before, after }) => `code that makes page data: ${shorten(before)} → ${shorten(after)}`,
  file: ({ state }) => FILES[state],
  unknown: () => 'what changed was not recorded',
}

const FILES = {
  missing: 'its file is missing',
  changed: 'its file has changed since it was written',
  unsure: 'an earlier run was interrupted while it wrote the file',
} as const

export function formatCause(cause: Cause): string {
  const format = FORMATS[cause.kind] as (one: Cause) => string
  return format(cause)
}

function formatDifference(seller: string, { collection, id, before, after }: DocumentDifference): string {
  const subject =
    collection === 'users' ? 'profile' : `product ${formatName(after ?? before)} (${formatId(id)})`
  const from = before?.seller === seller ? before : null
  const to = after?.seller === seller ? after : null
  if (from === null)
    return `${subject}: ${before === null ? 'added' : `moved here from seller ${formatId(before.seller)}`}`
  if (to === null)
    return `${subject}: ${after === null ? 'removed' : `moved to seller ${formatId(after.seller)}`}`
  const fields = listChanges('', from.fields, to.fields)
  return `${subject}: ${fields.length === 0 ? 'only its update time changed' : fields.join(', ')}`
}

function formatName(state: DocumentState | null): string {
  return formatValue(state?.fields['name'] ?? null)
}

/** Lists the fields that differ. The name of a field in a map includes the name of the map: `_5ml.price`. */
function listChanges(prefix: string, before: Fields, after: Fields): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => {
    const [old, now] = [before[name] ?? null, after[name] ?? null]
    if (isMap(old) && isMap(now)) return listChanges(`${prefix}${name}.`, old, now)
    if (JSON.stringify(old) === JSON.stringify(now)) return []
    return [`${prefix}${name} ${formatValue(old)} → ${formatValue(now)}`]
  })
}

type Fields = Readonly<Record<string, Json>>

function isMap(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const LONGEST = 60

function formatValue(value: Json): string {
  if (value === null) return 'none'
  if (typeof value === 'number') return formatAmount(value)
  const points = [...(typeof value === 'string' ? value : JSON.stringify(value))]
  const text = points.length <= LONGEST ? points.join('') : `${points.slice(0, LONGEST - 1).join('')}…`
  return typeof value === 'string' ? `"${text}"` : text
}

function formatAmount(amount: number): string {
  const [whole = '', ...decimals] = String(amount).split('.')
  return [formatNumber(Number(whole)), ...decimals].join('.')
}

function formatListing({ seller, before, after }: ListingChange): string {
  if (before === null) return `seller ${formatId(seller)}: now listed`
  if (after === null) return `seller ${formatId(seller)}: no longer listed`
  return `seller ${formatId(seller)}: updated ${before || 'at an unknown time'} → ${after || 'at an unknown time'}`
}

/**
 * The names that are printed for settings: their environment variables, if they have any. A setting that is not listed
 * is printed under its own name.
 */
const VARIABLES: Readonly<Record<string, string>> = {
  name: 'SITE_NAME',
  url: 'SITE_URL',
  accessUrl: 'ACCESS_URL',
  ...mapSwitches((_, { variable }) => variable),
  mode: 'PHOTOS',
  makesPreviews: 'whole photos',
  hosts: 'PHOTO_HOSTS',
}

// Compares two JSON objects of settings. Skips a setting that only one of them has, because another setting explains
// its absence: `hosts` is present only for some values of `mode`.
export function formatSettings(before: string, after: string): string {
  const old = JSON.parse(before) as Fields
  const now = JSON.parse(after) as Fields
  const names = Object.keys(now).filter((name) => name in old)
  const changes = names.flatMap((name) =>
    JSON.stringify(old[name]) === JSON.stringify(now[name])
      ? []
      : [`${VARIABLES[name] ?? name} ${formatValue(old[name] ?? null)} → ${formatValue(now[name] ?? null)}`],
  )
  return changes.join(', ')
}

function shorten(hash: string): string {
  return /^[0-9a-f]{64}$/.test(hash) ? hash.slice(0, 8) : hash
}
