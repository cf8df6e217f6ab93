/** Edits a sentence of the home page on the main branch, to simulate a bad code change and its later fix. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demandGreen, requireThat, waitForRun } from './acts.ts'
import type { Surroundings } from './surroundings.ts'

export const GOOD = "'Inicio'"
export const BAD = "'Roto'"
const MESSAGES = 'src/domain/messages.ts'

/** Returns whether the home page shows the bad sentence. */
export async function isBad(around: Surroundings): Promise<boolean> {
  return (await around.visit('/')).text.includes(BAD.slice(1, -1))
}

/** Replaces the sentence `from` with `to` in the file of messages. Throws if the file does not contain `from`. */
export function editSentence({ checkout }: Surroundings, from: string, to: string): void {
  const file = join(checkout, MESSAGES)
  const text = readFileSync(file, 'utf8')
  requireThat(text.includes(from), `${MESSAGES} does not contain ${from}`)
  writeFileSync(file, text.replaceAll(from, to))
}

/**
 * Records the live version in `around.good`, pushes the bad sentence to the main branch, and waits until it is live.
 * Returns the steps of the most recent workflow run.
 */
export async function landBadCode(around: Surroundings): Promise<readonly string[]> {
  around.good.version = around.cloudflare.live?.id ?? ''
  editSentence(around, GOOD, BAD)
  await waitForRun(around, around.github.push())
  const steps = await demandGreen(around)
  requireThat(
    await isBad(around),
    'the home page does not show the sentence that was pushed to the main branch',
  )
  return steps
}
