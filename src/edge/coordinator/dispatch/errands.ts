/** The coordinator's outgoing calls when its alarm fires: starts a builder, sends an alert. */
import { findStatusProblems } from '../../../domain/wire/status-problems.ts'
import type { Status } from '../../../domain/wire/coordinator-status.ts'
import { planAlert, settleAlert } from './alert.ts'
import type { CoordinatorSettings } from '../coordinator-settings.ts'
import { planDispatch, settleDispatch } from './dispatch-build.ts'
import type { DispatchTarget, SignedTarget } from './dispatch-target.ts'
import type { LocalLedger } from '../storage/local-ledger.ts'
import { sendAlert, sendDispatch } from './send-dispatch.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

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
    console.error(`alert: ${readMessage(error)}`)
  }
}
