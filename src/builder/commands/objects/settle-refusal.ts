/** Lane `objects`: what it means for a delivery that the Worker was not published. */
import { readCode } from '../../publish/objects/await-code.ts'
import type { ObjectClient } from '../../publish/objects/object-client.ts'
import { HeldError, OlderError, UnpublishedError } from '../../publish/publish-error.ts'

export interface PublishedWorker {
  /** Lines for the terminal. */
  readonly lines: readonly string[]
  /** Data is delivered before it is thrown. */
  readonly failure: UnpublishedError | null
}

/** Throws errors after which nothing is to be delivered. `code` is the beginning of the name of the code that was built. */
export async function settleRefusal(
  error: unknown,
  code: string,
  client: Pick<ObjectClient, 'readTags'>,
): Promise<PublishedWorker> {
  if (error instanceof HeldError)
    return createNote('NOT published: publishing is held (npm run deploy -- --release)')
  if (!(error instanceof UnpublishedError)) throw error
  if (error instanceof OlderError && (await readCode(client))?.startsWith(code) === true)
    return createNote('this one is live, published by another machine')
  return { lines: [], failure: error }
}

function createNote(text: string): PublishedWorker {
  return { lines: [`  code        ${text}`], failure: null }
}
