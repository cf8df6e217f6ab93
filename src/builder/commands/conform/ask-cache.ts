/** Asks whether the cache of the probe's domain keeps and deletes entries. */
import { randomUUID } from 'node:crypto'
import type { Asked, AskWorld } from './asking.ts'

/** Max rounds. The calls of one round may reach several data centres, each with its own cache. */
const TRIES = 5

export async function askCache({ probe }: AskWorld): Promise<Asked> {
  let answer = { isKept: false, isDeleted: false }
  for (let round = 0; round < TRIES && !(answer.isKept && answer.isDeleted); round += 1) {
    const [name, text] = [randomUUID(), randomUUID()]
    const ask = (what: string) => probe.ask('cache', { what, name, text })
    await ask('put')
    const isKept = (await ask('match')) === text
    await ask('delete')
    answer = { isKept, isDeleted: (await ask('match')) === null }
  }
  return { answer }
}
