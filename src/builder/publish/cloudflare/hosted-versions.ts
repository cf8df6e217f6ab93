/**
 * The host's versions of the site. Finds the version with which the pages of a given version were uploaded, and the
 * version for a rollback. Pure.
 */
import { PublishError } from '../publish-error.ts'

export interface HostedVersion {
  readonly version: string
  readonly tag: string
  readonly message: string
  /** RFC 3339. */
  readonly created: string
  /** The action that created the version, in Cloudflare's terms, such as `upload` or `secret`; empty if unknown. */
  readonly trigger: string
}

export interface Hosted {
  /** Ids of the versions that are live: several during a gradual deployment, none if the Worker was never deployed. */
  readonly live: readonly string[]
  /** Ids of the versions that are live or were live recently, the live ones first. */
  readonly deployed: readonly string[]
  /** Versions that may be put live, the newest first. */
  readonly versions: readonly HostedVersion[]
}

export interface RollBackChoice {
  /** Id of the live version, or of the first one during a gradual deployment; `null` if none is live. */
  readonly from: string | null
  readonly to: HostedVersion
  /** The coordinator's sequence that the pages of `to` were built from; 0 if unknown. */
  readonly sequence: number
}

const TAG = /^vitrina-(\d{1,16})$/
const LIST = 'npx wrangler versions list lists the newest ten'

/** Returns a version's tag, which contains the sequence of the published state. */
export function formatTag(sequence: number): string {
  return `vitrina-${sequence}`
}

/** Returns the sequence in a version's tag; `null` if this program did not upload the version. */
export function parseTag(tag: string): number | null {
  const digits = TAG.exec(tag)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Formats the ids of the live versions, at least one: `version a is live`, `versions a and b are live`. */
export function formatLive(live: readonly string[]): string {
  return live.length === 1 ? `version ${live[0]} is live` : `versions ${live.join(' and ')} are live`
}

/**
 * Returns whether the site was published before: true if this program uploaded one of the versions. An existing Worker
 * is no proof: a secret that is set before the first publish creates a Worker without the site and without a
 * coordinator.
 */
export function isSetUp({ versions }: Hosted): boolean {
  return versions.some(({ tag }) => parseTag(tag) !== null)
}

/**
 * Returns the version, uploaded by this program, whose pages the version `id` shows; `null` if there is none. The two
 * versions differ after a change of a secret, which creates a version with the pages of the previous one.
 */
export function findPages(id: string, { versions }: Hosted): HostedVersion | null {
  const version = versions.find((one) => one.version === id)
  if (version === undefined) return null
  if (parseTag(version.tag) !== null) return version
  if (!isOfSecret(version)) return null
  const ours = versions.filter(({ tag }) => parseTag(tag) !== null)
  return ours.find(({ created }) => Date.parse(created) <= Date.parse(version.created)) ?? null
}

/**
 * `to` is a version id or its beginning; `null` chooses the previous version. Throws a `PublishError` if no version, or
 * more than one, fits.
 */
export function chooseRollBack(hosted: Hosted, to: string | null): RollBackChoice {
  const chosen = to === null ? findPrevious(hosted) : findNamed(hosted, to)
  const pages = findPages(chosen.version, hosted)
  return { from: hosted.live[0] ?? null, to: chosen, sequence: parseTag(pages?.tag ?? '') ?? 0 }
}

/**
 * Returns the newest version whose pages are older than the live pages, preferably one that was live. If the live pages
 * are unknown, all known pages count as older. Several versions may have the same pages, and the newest of them has the
 * newest secrets.
 */
function findPrevious(hosted: Hosted): HostedVersion {
  const shown = findPages(hosted.live[0] ?? '', hosted)?.created
  const isOlder = ({ version }: HostedVersion): boolean => {
    const created = findPages(version, hosted)?.created
    return created !== undefined && (shown === undefined || Date.parse(created) < Date.parse(shown))
  }
  const older = hosted.versions.filter(isOlder)
  const [latest] = older
  const wasLive = older.find(({ version }) => hosted.deployed.slice(1).includes(version))
  // The host lists only its most recent deployments. If none of their versions is in `older`, the newest version in
  // `older` is chosen.
  const found = wasLive ?? latest
  if (found === undefined) throw new PublishError(`There is no earlier version to go back to: ${LIST}.`)
  return found
}

/** `name` is a version id or its beginning. */
function findNamed({ versions }: Hosted, name: string): HostedVersion {
  const [found, ...others] = versions.filter(({ version }) => version.startsWith(name))
  if (found !== undefined && others.length === 0) return found
  if (found !== undefined)
    throw new PublishError(`More than one version has an id that begins with ${name}: ${LIST}.`)
  throw new PublishError(
    `No version that can be put live has an id that begins with ${name}: ${LIST}, but only the newest 100. To go back to an older state, revert the code with git revert, then rebuild and deploy.`,
  )
}

function isOfSecret({ tag, trigger }: HostedVersion): boolean {
  return tag === '' && (trigger === '' || trigger === 'secret')
}

/**
 * Compares times as numbers, because RFC 3339 texts do not sort by time if only some have decimals: `10:00:00.5Z` is
 * later than `10:00:00Z`, but sorts before it.
 */
export function sortNewest<Item>(items: readonly Item[], readTime: (item: Item) => string): readonly Item[] {
  return items.toSorted((a, b) => Date.parse(readTime(b)) - Date.parse(readTime(a)))
}
