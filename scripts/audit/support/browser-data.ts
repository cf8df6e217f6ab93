/**
 * Looks up features of the oldest supported browsers in MDN's data. Source: https://github.com/mdn/browser-compat-data
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OLDEST_BROWSERS } from '../../../src/builder/renderer/browsers.ts'

export interface BrowserData {
  /** Returns whether one of the browsers lacks the feature at this path; false if the path is unknown. */
  lacks(...path: readonly string[]): boolean
  /**
   * Returns whether every interface with a member of this name lacks the member in one of the browsers; false if no
   * interface has such a member.
   */
  lacksMember(name: string): boolean
}

/** The parts of the data that are read here. Source: the schema in the repository of the data. */
interface Support {
  readonly version_added: string | boolean | null
  readonly version_removed?: string
  readonly alternative_name?: string
  readonly flags?: unknown
}
interface Statement {
  readonly support: Readonly<Record<string, Support | readonly Support[]>>
}
type Feature = { readonly [name: string]: Feature } & { readonly [STATEMENT]?: Statement }

const STATEMENT = '__compat'

const { ios, ...others } = OLDEST_BROWSERS
const OLDEST = Object.entries({ ...others, safari_ios: ios })

let opened: BrowserData | undefined

/** Reads the data only at the first call, because the file is 20 MB in size. */
export function openBrowserData(): BrowserData {
  const file = fileURLToPath(import.meta.resolve('@mdn/browser-compat-data'))
  opened ??= createBrowserData(JSON.parse(readFileSync(file, 'utf8')) as Feature)
  return opened
}

function createBrowserData(data: Feature): BrowserData {
  const find = (path: readonly string[]): Feature | undefined => {
    let feature: Feature | undefined = data
    for (const name of path)
      feature = feature !== undefined && Object.hasOwn(feature, name) ? feature[name] : undefined
    return feature
  }
  const owners = [find(['api']), find(['javascript', 'builtins'])]
  const members = listMembers(owners.flatMap((group) => listFeatures(group).map(([, owner]) => owner)))
  return {
    lacks: (...path) => !isSupported(find(path)?.[STATEMENT]),
    lacksMember: (name) => members.get(name)?.some(isSupported) === false,
  }
}

/** Returns MDN's compatibility statements about all members of interfaces and built-in objects, by member name. */
function listMembers(owners: readonly Feature[]): ReadonlyMap<string, readonly Statement[]> {
  const members = new Map<string, Statement[]>()
  for (const [key, { [STATEMENT]: statement }] of owners.flatMap(listFeatures)) {
    const name = key.replace(/_static$/, '')
    if (statement !== undefined) members.set(name, [...(members.get(name) ?? []), statement])
  }
  return members
}

function listFeatures(group: Feature = {}): readonly (readonly [name: string, feature: Feature])[] {
  return Object.entries(group).filter(([name]) => name !== STATEMENT) as [string, Feature][]
}

function isSupported(statement: Statement | undefined): boolean {
  if (statement === undefined) return true
  return OLDEST.every(([browser, version]) =>
    [statement.support[browser] ?? []].flat().some((support) => isSince(support, version)),
  )
}

/**
 * Returns whether `version` of a browser supports the feature. A feature that needs a prefix counts as supported,
 * because Vite adds prefixes.
 */
function isSince(support: Support, version: string): boolean {
  const { version_added: added, version_removed: removed, alternative_name: other, flags } = support
  if (removed !== undefined || other !== undefined || flags !== undefined) return false
  return typeof added === 'string'
    ? Number.parseFloat(added.replace('≤', '')) <= Number(version)
    : added === true
}
