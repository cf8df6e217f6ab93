/** Tells the site which code is live, after its Worker was published, and stores its hashed assets for older pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { HOME_OBJECT } from '../../../domain/objects/object-data.ts'
import { HASHED } from '../../rebuild/static-files.ts'
import { CallError } from '../coordinator-client.ts'
import type { DeliveryTarget } from './deliver-rebuild.ts'
import type { ObjectClient } from './object-client.ts'
import type { SentFiles } from './sent-files.ts'
import { sendFiles } from './send-files.ts'

export interface Announcement extends Pick<DeliveryTarget, 'client'> {
  /** `null` to remember nothing. */
  readonly sent: SentFiles | null
  /** Folder of the static files; `null` if the site has the assets of the code. */
  readonly output: string | null
  /** Whether the site is told in any case, as after a switch of versions. */
  readonly isNew: boolean
  /** The beginning of the published code's name; `null` for whatever answers, on this machine. */
  readonly code: string | null
  /** Pauses between looks for the published code, in milliseconds. */
  readonly pauses?: readonly number[]
}

/** A published version answers within seconds, at first beside the old one. */
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

/** Does nothing if the site was told. Returns lines for people. */
export async function announceCode(announcement: Announcement): Promise<readonly string[]> {
  const { client, sent, isNew, code, pauses = PAUSES } = announcement
  const known = isNew ? null : (sent?.readLive() ?? null)
  if (code !== null && known?.startsWith(code) === true) return []
  for (const pause of [...pauses, null]) {
    const answering = await readCode(client)
    if (answering !== null && answering === known && code === null) return []
    if (answering?.startsWith(code ?? '') === true) {
      await sendAssets(announcement)
      const answer = await client.goLive({ code: answering })
      if (answer !== null) {
        sent?.writeLive(answering)
        return answer.refill === 'done' ? [] : ['  code        pages of other code are rendered again']
      }
    }
    if (pause !== null) await wait(pause)
  }
  return [
    '  code        the published code does not answer yet: npm run deploy tells the site again that it is live',
  ]
}

/** Returns `null` while the Worker of a site of files answers. */
export async function readCode(client: Pick<ObjectClient, 'readTags'>): Promise<string | null> {
  try {
    return (await client.readTags({ names: [HOME_OBJECT] })).worker.code
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return null
    throw error
  }
}

async function sendAssets({ client, sent, output }: Announcement): Promise<void> {
  if (output === null || sent === null) return
  const paths = readdirSync(join(output, HASHED)).map((name) => `${HASHED}${name}`)
  await sendFiles(paths, { client, sent, readFile: (path) => readFileSync(join(output, path)) })
}
