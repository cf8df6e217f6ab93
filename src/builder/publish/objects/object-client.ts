/** The calls about objects. The coordinator's client signs and sends them. */
import { LARGEST_PUSH } from '../../../domain/wire/call.ts'
import type { PushAnswer, PushBatch } from '../../../domain/wire/object-calls.ts'
import { OBJECT_CALLS } from '../../../domain/wire/object-calls.ts'
import type { CallMethods } from '../coordinator/call-methods.ts'
import { createMethods } from '../coordinator/call-methods.ts'
import type { CoordinatorClient } from '../coordinator/coordinator-client.ts'
import { CallError } from '../coordinator/coordinator-client.ts'

export interface ObjectClient extends Omit<CallMethods<typeof OBJECT_CALLS>, 'push'> {
  push(batch: PushBatch): Promise<PushAnswer>
  /** Returns the size of all bodies with data or files sent so far, in bytes. */
  countBytes(): number
}

/** Explanations of statuses that have a special meaning in calls about objects. */
const REFUSALS: Readonly<Record<number, string>> = {
  404: 'the site has no objects yet: run npm run deploy -- --setup, which publishes the Worker for HOSTING=objects',
  422: 'the Worker of the site expects data of another format: run npm run deploy, which publishes the Worker of this code',
}

/** Each method retries like all calls to the coordinator. It rejects with a `CallError` if the call still fails. */
export function createObjectClient({ ask }: Pick<CoordinatorClient, 'ask'>): ObjectClient {
  let bytes = 0
  const count = (length: number): void => void (bytes += length)
  const methods = createMethods(OBJECT_CALLS, (call, body) => {
    const onBody = call.limits.size === LARGEST_PUSH ? count : undefined
    return ask(call, body, { onBody }).catch(explainRefusal)
  })
  return { ...methods, countBytes: () => bytes }
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof CallError)) throw error
  const reason = REFUSALS[error.status]
  throw reason === undefined ? error : new CallError(`${reason} (${error.message})`, error.status)
}
