/** Reports to the coordinator a version that this machine put live earlier but could not report at that time. */
import type { LiveFile } from './live-file.ts'
import type { PublishApproval } from './coordinator/publish-approval.ts'

/** Does nothing if there is no unreported version. Throws if the call to the coordinator fails. */
export async function reportLate(
  { readLive, writeLive }: LiveFile,
  gate: Pick<PublishApproval, 'hold' | 'forced'>,
): Promise<void> {
  const last = readLive()
  if (last === null || last.untold === null) return
  const { version, sequence, untold } = last
  const { action, ...forced } = untold
  const { reason } = forced
  if (action === 'forced') await gate.forced({ version, sequence, ...forced })
  else await gate.hold(reason, { version, sequence })
  writeLive({ ...last, untold: null })
}
