/** Asks how messages of the queue arrive. */
import { randomUUID } from 'node:crypto'
import { isRecord } from '../../../domain/documents/json.ts'
import type { Json } from '../../../domain/documents/json.ts'
import { formatTime } from '../../format-numbers.ts'
import type { AskService, Asked, AskWorld } from './asking.ts'
import type { Probe } from './probe-client.ts'

const MESSAGES = 20
/** Time after which messages count as late, and max time to wait for messages, in milliseconds. */
const IN_TIME = 10_000
const PATIENCE = 60_000
const POISON = 'poison'

interface Noted {
  readonly body: string
  readonly attempts: number
  readonly isDead: boolean
}

async function readMessages(probe: Probe): Promise<Json> {
  return probe.ask('object', { what: 'messages' })
}

function listNoted(answer: Json): readonly Noted[] {
  return (Array.isArray(answer) ? answer : []).filter(isRecord).map(({ body, attempts, isDead }) => ({
    body: String(body),
    attempts: Number(attempts),
    isDead: isDead === 1,
  }))
}

export function askQueue(about: 'arrival' | 'order'): AskService {
  return async ({ probe }): Promise<Asked> => {
    const run = randomUUID().slice(0, 8)
    const sent = Array.from({ length: MESSAGES }, (_, index) => `${run}-${index}`)
    const list = (answer: Json): readonly string[] =>
      listNoted(answer).flatMap(({ body }) => (body.startsWith(run) ? [body] : []))
    const start = performance.now()
    await probe.ask('send', { bodies: sent.join(',') })
    const answer = await probe.poll(
      () => readMessages(probe),
      (noted) => new Set(list(noted)).size === MESSAGES,
      PATIENCE,
    )
    const time = performance.now() - start
    const got = list(answer)
    const arrived = new Set(got).size
    const note = `waited ${formatTime(time)} for ${MESSAGES} messages`
    return about === 'order'
      ? { answer: { isOrdered: got.join() === sent.join() }, note }
      : { answer: { arrived, doubled: got.length - arrived, isInTime: time <= IN_TIME }, note }
  }
}

export async function askPoison({ probe }: AskWorld): Promise<Asked> {
  const list = (answer: Json): readonly Noted[] => listNoted(answer).filter(({ body }) => body === POISON)
  const start = performance.now()
  await probe.ask('send', { bodies: POISON })
  const noted = list(
    await probe.poll(
      () => readMessages(probe),
      (answer) => list(answer).some(({ isDead }) => isDead),
      PATIENCE,
    ),
  )
  const attempts = noted.filter(({ isDead }) => !isDead).map((one) => one.attempts)
  return {
    answer: { attempts, isDead: noted.some(({ isDead }) => isDead) },
    note: `waited ${formatTime(performance.now() - start)} for the message in the dead-letter queue`,
  }
}
