/** Lane `objects`: decides whether data may be delivered although the publish of the Worker failed. */
import { readCode } from '../../publish/objects/await-code.ts'
import type { ObjectClient } from '../../publish/objects/object-client.ts'
import { DeliverableError, HeldError, OlderError } from '../../publish/publish-error.ts'

export interface PublishedWorker {
  /** Lines to print. */
  readonly lines: readonly string[]
  /** The error of the publish, to be thrown after the data was delivered; `null` if there is nothing to throw. */
  readonly failure: DeliverableError | null
  /** A sentence about the version that was put live; absent if none was. */
  readonly said?: string
}

/**
 * Throws `error` unless the data may still be delivered. `code` is the fingerprint of the built code. If the name of
 * the live code begins with it, the same code is already live.
 */
export async function settleRefusal(
  error: unknown,
  code: string,
  client: Pick<ObjectClient, 'readTags'>,
): Promise<PublishedWorker> {
  if (error instanceof HeldError)
    return createNote('NOT published, because publishing is held: npm run deploy -- --release ends the hold')
  if (!(error instanceof DeliverableError)) throw error
  if (error instanceof OlderError && (await readCode(client))?.startsWith(code) === true)
    return createNote('already live: another machine published the same code')
  return { lines: [], failure: error }
}

function createNote(text: string): PublishedWorker {
  return { lines: [`  code        ${text}`], failure: null }
}
