/** The coordinator's outgoing calls when its alarm or timer fires: starts a builder, sends changes, sends an alert. */
import type { Queue } from 'cloudflare:workers'
import { findStatusProblems } from '../../../domain/wire/status-problems.ts'
import type { Status } from '../../../domain/wire/coordinator-status.ts'
import { planAlert, settleAlert } from './alert.ts'
import type { ChangeMessage } from '../change-ledger.ts'
import type { Unsent } from '../changes/send-changes.ts'
import { planMessages, takeBackMessages } from '../changes/send-changes.ts'
import type { CoordinatorSettings, Variables } from '../coordinator-settings.ts'
import { planDispatch, settleDispatch } from './dispatch-build.ts'
import type { DispatchTarget, SignedTarget } from './dispatch-target.ts'
import type { LocalLedger } from '../storage/local-ledger.ts'
import { sendAlert, sendDispatch } from './send-dispatch.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

/** Max messages per call. Source: https://developers.cloudflare.com/queues/platform/limits/ */
const BATCH = 100

export interface Sender {
  readonly settings: CoordinatorSettings
  readonly take: LocalLedger['take']
}

export async function startBuild({ settings, take }: Sender, target: DispatchTarget): Promise<void> {
  const newBuild = `build_${crypto.randomUUID()}`
  const build = take(planDispatch, { canDispatch: target.kind !== 'none', newBuild })
  if (build === null) return
  const outcome = await sendDispatch(target, { build, timeout: settings.dispatchTimeout, now: new Date() })
  take(settleDispatch, { build, outcome })
}

/** Does not reject if the queue fails: the changes stay and are sent again later. */
export async function sendChanges({ take }: Pick<Sender, 'take'>, variables: Variables): Promise<void> {
  const queue = findChangeQueue(variables)
  if (queue === null) return
  const messages = take(planMessages, null)
  const failure = await sendMessages(queue, messages)
  if (failure !== null) take(takeBackMessages, failure)
}

/** Returns `null` if the Worker has no queue, as in a site without objects. */
export function findChangeQueue({ CHANGES: queue }: Variables): Queue<ChangeMessage> | null {
  return isQueue(queue) ? queue : null
}

function isQueue(value: unknown): value is Queue<ChangeMessage> {
  return typeof value === 'object' && value !== null && 'sendBatch' in value
}

/** Never rejects. Returns the messages that the queue did not accept, with the reason; `null` if it accepted all. */
async function sendMessages(
  queue: Queue<ChangeMessage>,
  messages: readonly ChangeMessage[],
): Promise<Unsent | null> {
  for (let from = 0; from < messages.length; from += BATCH) {
    try {
      await queue.sendBatch(messages.slice(from, from + BATCH).map((body) => ({ body })))
    } catch (error) {
      const reason = readMessage(error)
      return {
        messages: messages.slice(from),
        reason: `the queue of changes did not accept the messages: ${reason}`,
      }
    }
  }
  return null
}

/** Sends the alert that is due, if any. Never rejects. */
export async function alertReceiver(
  { settings, take }: Sender,
  receiver: SignedTarget,
  readStatus: () => Promise<Status>,
): Promise<void> {
  if (receiver.kind === 'none') return
  try {
    const problems = findStatusProblems(await readStatus())
    const alert = take(planAlert, { problems, newAlert: `alert_${crypto.randomUUID()}` })
    if (alert === null) return
    const outcome = await sendAlert(receiver, alert, { timeout: settings.dispatchTimeout, now: new Date() })
    if (!outcome.isSent) console.error(`alert: the receiver did not accept the alert: ${outcome.reason}`)
    take(settleAlert, { ...alert, outcome })
  } catch (error) {
    logError('alert', error)
  }
}

export function logError(what: string, error: unknown): void {
  console.error(`${what}: ${readMessage(error)}`)
}
