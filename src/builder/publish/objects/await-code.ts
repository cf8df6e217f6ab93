/**
 * Waits until a published Worker runs the new code, and stores the hashed assets of that code, because stored pages
 * need them after the next deployment. Also reads the Worker's code and data format.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORMAT } from '../../../domain/objects/object-data.ts'
import type { TagsAnswer } from '../../../domain/wire/object-calls.ts'
import { lookAgain } from '../../../domain/work/try-again.ts'
import { HASHED } from '../../rebuild/static/static-files.ts'
import { CallError } from '../coordinator/coordinator-client.ts'
import type { DeliveryTarget } from './deliver-rebuild.ts'
import type { ObjectClient } from './object-client.ts'
import { sendFiles } from './send-files.ts'

type CodeClient = Pick<ObjectClient, 'readTags'>

/** Pauses between calls, in milliseconds. A new version answers within seconds; until then the old one may answer. */
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

/** Returns the name of the code that the Worker runs; `null` if it is still a Worker of lane `assets`. */
export async function readCode(client: CodeClient): Promise<string | null> {
  return (await readWorker(client))?.code ?? null
}

/**
 * Returns a line to print if the Worker that is live now reads another data format than this code, because a rollback
 * to that Worker would stop the delivery of data. Returns no line if the call to the Worker fails or the Worker is of
 * lane `assets`.
 */
export async function describeNewFormat(client: CodeClient): Promise<readonly string[]> {
  const worker = await readWorker(client).catch(() => null)
  if (worker === null || worker.format === FORMAT) return []
  return [
    `  format    the data of objects changes from format ${worker.format} to ${FORMAT}, so do not roll back to an earlier version: it would show every page as it was last stored, and accept no new data`,
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

/** Sends the hashed assets in the folder `output` to the store. Skips files that the store is known to have. */
export async function sendAssets(
  { client, sent }: Pick<DeliveryTarget, 'client' | 'sent'>,
  output: string,
): Promise<void> {
  const paths = readdirSync(join(output, HASHED)).map((name) => `${HASHED}${name}`)
  await sendFiles(paths, { client, sent, readFile: (path) => readFileSync(join(output, path)) })
}

/**
 * Waits until the Worker runs the published code, whose name begins with `code`, then stores its assets. If that code
 * does not answer in time, stores nothing and returns a line to print.
 */
export async function completeCode(
  target: Pick<DeliveryTarget, 'client' | 'sent'>,
  { output, code }: { readonly output: string; readonly code: string },
  pauses: readonly number[] = PAUSES,
): Promise<readonly string[]> {
  const isPublished = (found: string | null): boolean => found?.startsWith(code) === true
  const last = await lookAgain(() => readCode(target.client), { isDone: isPublished, pauses })
  if (!isPublished(last))
    return [
      '  code        the published code does not answer yet, so the data is delivered to the previous code',
    ]
  await sendAssets(target, output)
  return []
}
