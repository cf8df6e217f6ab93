/**
 * Steps that several kinds of publish share: a late report of an earlier version, the upload, the entry in the live
 * file, and a check of the live site.
 */
import { MARKER } from '../../domain/wire/site-marker.ts'
import { formatTag } from './cloudflare/hosted-versions.ts'
import type { Upload, Uploaded } from './cloudflare/hosting.ts'
import type { PublishApproval } from './coordinator/coordinator-approval.ts'
import type { Live, LiveFile, Untold } from './live-file.ts'
import { PublishError, readSentence } from './publish-error.ts'
import type { PublishWorld } from './publish-world.ts'
import type { Verification } from './verify-site.ts'

const HOME = 'index.html'

/**
 * Reports to the coordinator a version that this machine put live earlier but could not report at that time. Does
 * nothing if there is none, or if the report of a rollback is outdated. Throws if a call to the coordinator fails.
 */
export async function reportLate(
  { readLive, writeLive }: LiveFile,
  gate: Pick<PublishApproval, 'hold' | 'forced' | 'readStatus'>,
): Promise<void> {
  const last = readLive()
  if (last === null || last.untold === null) return
  const { version, sequence, untold } = last
  const { action, ...forced } = untold
  if (action === 'forced') await gate.forced({ version, sequence, ...forced })
  else if (!(await isOutdated(untold, gate))) await gate.hold(untold.reason, { version, sequence })
  writeLive({ ...last, untold: null })
}

/** Returns whether the coordinator has recorded since the rollback which version is live: that one, or a later one. */
async function isOutdated({ at }: Untold, gate: Pick<PublishApproval, 'readStatus'>): Promise<boolean> {
  const { live } = (await gate.readStatus()).publishing
  return live !== null && Date.parse(live.at) > Date.parse(at)
}

export function createUpload({ sequence }: PublishWorld, { files }: Verification): Upload {
  return {
    tag: formatTag(sequence),
    message: `${files} files`,
  }
}

export function createLive(version: string, { sequence, digest }: PublishWorld): Live {
  return { version, sequence, digest, isSeen: false, untold: null }
}

export async function upload(world: PublishWorld, verification: Verification): Promise<Uploaded> {
  world.progress('Uploading')
  try {
    return await world.hosting.upload(createUpload(world, verification))
  } catch (error) {
    throw new PublishError(explainUpload(readSentence(error)), { cause: error })
  }
}

function explainUpload(reason: string): string {
  const [failed, setup] = ['The upload failed, and the live site is as it was:', 'npm run deploy -- --setup']
  // wrangler does not upload a version with a new class of Durable Objects, because such a class needs a migration.
  if (/pending Durable Object migration/i.test(reason))
    return `${failed} this code has a new class of Durable Objects. Run ${setup} once, which publishes it; after that, no rollback to an earlier version is possible.`
  return `${failed} ${reason} Fix that, then run npm run deploy again. For the first publish, and after a change of migrations, run ${setup} instead.`
}

/** Throws a `PublishError` unless the marker, the home page and one other page are live. */
export async function showSeen(
  { published, look, progress }: PublishWorld,
  live: Live,
  { newest }: Verification,
): Promise<void> {
  if (live.isSeen) return
  progress('Looking at the live site')
  const problem = await look([MARKER, HOME, ...(newest === null ? [] : [newest])])
  if (problem !== null)
    throw new PublishError(
      `Version ${live.version} was put live, but ${problem}. Run npm run deploy to look again, or npm run deploy -- --rollback.`,
    )
  published.writeLive({ ...live, isSeen: true })
}
