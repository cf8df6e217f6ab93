/** Publishes the site. After any failure visitors get the old site or the new one, and the error says which. */
import type { Status } from '../../domain/wire/coordinator-status.ts'
import type { PublishApproval } from './publish-approval.ts'
import { formatTag } from './hosted-versions.ts'
import type { Hosting, Uploaded } from './hosting.ts'
import type { Live } from './live-file.ts'
import { PublishError, readMessage } from './publish-error.ts'
import type { PublishedState } from './published-state.ts'
import { createRefusal, switchVersion } from './switch-version.ts'
import type { Verification } from './verify-site.ts'

export interface PublishWorld {
  readonly hosting: Hosting
  readonly gate: PublishApproval
  readonly published: PublishedState
  readonly folder: string
  /** The coordinator's sequence contained in the state of the site; 0 before the first claim. */
  readonly sequence: number
  /** Hash of the site and of the Worker's code. */
  readonly digest: string
  verify(): Promise<Verification>
  /** Returns the first difference between the live site and these files, or `null`. */
  look(paths: readonly string[]): Promise<string | null>
  readonly progress: (text: string) => void
}

export interface PublishOutcome {
  readonly kind: 'published' | 'unchanged'
  readonly version: string
  /** `null` when nothing was uploaded. */
  readonly uploaded: Uploaded | null
  readonly verification: Verification
}

const HOME = 'index.html'

export async function publishSite(world: PublishWorld): Promise<PublishOutcome> {
  const { gate, published, digest, progress } = world
  const status = await gate.readStatus()
  const before = published.readLive()
  checkPlace(status, world)
  progress('Verifying what changed')
  const verification = await world.verify()
  const { live, doubtful } = status.publishing
  const isSame = before?.digest === digest && live?.version === before.version && doubtful === null
  if (isSame) {
    await showSeen(world, before, [HOME])
    return { kind: 'unchanged', version: before.version, uploaded: null, verification }
  }
  const uploaded = await upload(world, verification)
  await switchVersion(createLive(uploaded.version, world), before, world)
  await showSeen(world, createLive(uploaded.version, world), [HOME, ...findPage(verification)])
  return { kind: 'published', version: uploaded.version, uploaded, verification }
}

/** Uploads a version without making it live. */
export async function previewSite(world: PublishWorld): Promise<PublishOutcome> {
  const verification = await world.verify()
  const uploaded = await upload(world, verification)
  return { kind: 'published', version: uploaded.version, uploaded, verification }
}

export function createUpload({ folder, sequence }: PublishWorld, { changed, removed }: Verification) {
  const message = `${changed.length} files changed, ${removed.length} removed`
  return { folder, tag: formatTag(sequence), message }
}

export function createLive(version: string, { sequence, digest }: PublishWorld): Live {
  return { version, sequence, digest, isSeen: false, untold: null }
}

/** An early check that saves an upload; the lease decides. */
function checkPlace({ publishing: { held, live } }: Status, { sequence }: PublishWorld): void {
  if (held !== null) throw createRefusal('held', held.reason)
  if (live !== null && live.sequence > sequence)
    throw createRefusal('older', `version ${live.version} is live, of sequence ${live.sequence}`)
}

async function upload(world: PublishWorld, verification: Verification): Promise<Uploaded> {
  world.progress('Uploading')
  try {
    return await world.hosting.upload(createUpload(world, verification))
  } catch (error) {
    throw new PublishError(
      `The upload failed, and the live site is as it was: ${readMessage(error)} Fix that, then run npm run deploy again. The first time, and after a change of migrations: npm run deploy -- --setup.`,
      { cause: error },
    )
  }
}

async function showSeen(
  { published, look, progress }: PublishWorld,
  live: Live,
  paths: readonly string[],
): Promise<void> {
  if (live.isSeen) return
  progress('Looking at the live site')
  const problem = await look(paths)
  if (problem !== null)
    throw new PublishError(
      `Version ${live.version} was put live, but ${problem}. Run npm run deploy to look again, or npm run deploy -- --rollback.`,
    )
  published.writeLive({ ...live, isSeen: true })
}

/** Returns one changed page, if any. */
function findPage({ changed }: Verification): readonly string[] {
  const pages = changed.filter(
    (path) => path.endsWith('.html') && !path.endsWith('404.html') && path !== HOME,
  )
  return pages.slice(0, 1)
}
