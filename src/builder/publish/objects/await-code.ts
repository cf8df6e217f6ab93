/**
 * Asks the published Worker for its code and data format, waits until its code answers, and stores its hashed assets for
 * pages that outlive the next deployment.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { FORMAT } from '../../../domain/objects/object-data.ts'
import type { TagsAnswer } from '../../../domain/wire/object-calls.ts'
import { HASHED } from '../../rebuild/static/static-files.ts'
import { CallError } from '../coordinator/coordinator-client.ts'
import type { DeliveryTarget } from './deliver-rebuild.ts'
import type { ObjectClient } from './object-client.ts'
import { sendFiles } from './send-files.ts'

type CodeClient = Pick<ObjectClient, 'readTags'>

/** Pauses between looks, in milliseconds. A new version answers within seconds; at first the old one may answer too. */
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

/** Returns whether the code whose name begins with `code` answers before the pauses are over. */
async function awaitCode(
  client: CodeClient,
  code: string,
  pauses: readonly number[] = PAUSES,
): Promise<boolean> {
  for (const pause of [...pauses, null]) {
    if ((await readCode(client))?.startsWith(code) === true) return true
    if (pause !== null) await wait(pause)
  }
  return false
}

/** Returns the name of the code that answers; `null` while the Worker of a site of files answers. */
export async function readCode(client: CodeClient): Promise<string | null> {
  return (await readWorker(client))?.code ?? null
}

/**
 * Returns a line to print if the published Worker reads data of another format than this code, so that a rollback would
 * stop the delivery of data. Returns none if it does not answer.
 */
export async function describeNewFormat(client: CodeClient): Promise<readonly string[]> {
  const worker = await readWorker(client).catch(() => null)
  if (worker === null || worker.format === FORMAT) return []
  return [
    `  format    the data of objects changes from format ${worker.format} to ${FORMAT}, so no rollback goes behind this version: an earlier one shows every page as it was last stored, and takes no new data`,
  ]
}

async function readWorker(client: CodeClient): Promise<TagsAnswer['worker'] | null> {
  try {
    return (await client.readTags({ names: [] })).worker
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return null
    throw error
  }
}

/** Stores the hashed assets of `output`, the static files' folder. Skips files that the store is known to have. */
export async function sendAssets(
  { client, sent }: Pick<DeliveryTarget, 'client' | 'sent'>,
  output: string,
): Promise<void> {
  const paths = readdirSync(join(output, HASHED)).map((name) => `${HASHED}${name}`)
  await sendFiles(paths, { client, sent, readFile: (path) => readFileSync(join(output, path)) })
}

/** Waits until the published code answers, then stores its assets. Returns lines to print. */
export async function completeCode(
  target: Pick<DeliveryTarget, 'client' | 'sent'>,
  { output, code }: { readonly output: string; readonly code: string },
  pauses?: readonly number[],
): Promise<readonly string[]> {
  if (!(await awaitCode(target.client, code, pauses)))
    return [
      '  code        the published code does not answer yet, so the data is delivered to the previous code',
    ]
  await sendAssets(target, output)
  return []
}
