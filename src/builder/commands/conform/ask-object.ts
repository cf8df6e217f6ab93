/**
 * Asks about a Durable Object: whether a failed alarm runs again, and whether another version of the Worker resets it.
 */
import { isRecord } from '../../../domain/documents/json.ts'
import type { Json } from '../../../domain/documents/json.ts'
import { formatTime } from '../../format-numbers.ts'
import type { Asked, AskWorld } from './asking.ts'
import type { Probe } from './probe-client.ts'

/** Max wait for the second run of an alarm, in milliseconds: a failed alarm runs again after 2 seconds or more. */
const PATIENCE = 30_000
/** Max delay of the first run of an alarm, in milliseconds. A longer delay counts as late. */
const LATE = 5_000
/** Max time until the new version of the Worker answers, in milliseconds. */
const SWITCH = 60_000
/** Duration of the call that is in progress while the version changes, in milliseconds. */
const HOLD = 5_000

export async function askAlarm({ probe }: AskWorld): Promise<Asked> {
  const read = (): Promise<Json> => probe.ask('object', { what: 'alarms' })
  await probe.ask('object', { what: 'set alarm' })
  const answer = await probe.poll(read, (alarms) => listLate(alarms).length >= 2, PATIENCE)
  const [first = Infinity, ...others] = listLate(answer)
  return {
    answer: { runs: 1 + others.length, isEarly: first < 0, isLate: first > LATE },
    note: `${formatTime(first)} late`,
  }
}

function listLate(answer: Json): readonly number[] {
  return (Array.isArray(answer) ? answer : []).filter(isRecord).map(({ late }) => Number(late))
}

export async function askSwitch({ probe, switchVersion }: AskWorld): Promise<Asked> {
  const before = await readLife(probe)
  const isHeld = probe.ask('object', { what: 'hold', size: HOLD }).then(
    () => true,
    () => false,
  )
  const start = performance.now()
  await switchVersion()
  await probe.poll(
    () => probe.ask('version').catch(() => null),
    (version) => version === '2',
    SWITCH,
  )
  const time = formatTime(performance.now() - start)
  const after = await readLife(probe)
  return {
    answer: { isReset: after.life !== before.life, isStored: after.lines === before.lines },
    note: `the switch took ${time}; a call in progress ${(await isHeld) ? 'was answered' : 'failed'}`,
  }
}

async function readLife(probe: Probe): Promise<{ readonly life: string; readonly lines: number }> {
  const answer = await probe.ask('object', { what: 'life' })
  return isRecord(answer)
    ? { life: String(answer['life']), lines: Number(answer['lines']) }
    : { life: '', lines: -1 }
}
