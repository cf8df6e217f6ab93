/** Tells the site which code is live, after its Worker was published, and stores its hashed assets for older pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { HOME_OBJECT } from '../../../domain/objects/object-data.ts'
import { HASHED } from '../../rebuild/static-files.ts'
import type { DeliveryTarget } from './deliver-rebuild.ts'
import { sendFiles } from './send-files.ts'

export interface Announcement extends Pick<DeliveryTarget, 'client' | 'sent'> {
  /** Folder of the static files. */
  readonly output: string
  /** The beginning of the published code's name; `null` for whatever answers, on this machine. */
  readonly code: string | null
  /** Pauses between looks for the published code, in milliseconds. */
  readonly pauses?: readonly number[]
}

/** A published version answers within seconds, at first beside the old one. */
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

/** Does nothing if the site was told. Returns lines for people. */
export async function announceCode(announcement: Announcement): Promise<readonly string[]> {
  const { client, sent, output, code, pauses = PAUSES } = announcement
  const known = sent.readLive()
  if (code !== null && known?.startsWith(code) === true) return []
  for (const pause of [...pauses, null]) {
    const { worker } = await client.readTags({ names: [HOME_OBJECT] })
    if (worker.code === known && code === null) return []
    if (worker.code.startsWith(code ?? '')) {
      await sendAssets(output, announcement)
      const answer = await client.goLive(worker.code)
      if (answer !== null) {
        sent.writeLive(worker.code)
        return answer.refill === 'done' ? [] : ['  code        pages of other code are rendered again']
      }
    }
    if (pause !== null) await wait(pause)
  }
  return [
    '  code        the new code does not answer yet: the next npm run deploy tells the site that it is live',
  ]
}

async function sendAssets(output: string, { client, sent }: Announcement): Promise<void> {
  const paths = readdirSync(join(output, HASHED)).map((name) => `${HASHED}${name}`)
  await sendFiles(paths, { client, sent, readFile: (path) => readFileSync(join(output, path)) })
}
