/** Changes a sentence of the home page on the main branch, from good to bad and back. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demandGreen, requireThat, waitForRun } from './acts.ts'
import type { Surroundings } from './surroundings.ts'

export const GOOD = "'Inicio'"
export const BAD = "'Roto'"
const MESSAGES = 'src/domain/messages.ts'

/** Returns whether the home page shows the code of the bad version. */
export async function isBad(around: Surroundings): Promise<boolean> {
  return (await around.visit('/')).text.includes(BAD.slice(1, -1))
}

/** Replaces the sentence `from` by `to`. */
export function editSentence({ checkout }: Surroundings, from: string, to: string): void {
  const file = join(checkout, MESSAGES)
  const text = readFileSync(file, 'utf8')
  requireThat(text.includes(from), `${MESSAGES} has no ${from}`)
  writeFileSync(file, text.replaceAll(from, to))
}

/** Lands the bad code on the main branch, and waits until it is live. Returns the steps of its workflow. */
export async function landBadCode(around: Surroundings): Promise<readonly string[]> {
  editSentence(around, GOOD, BAD)
  await waitForRun(around, around.github.push())
  const steps = await demandGreen(around)
  requireThat(await isBad(around), 'the home page does not show the code that landed')
  return steps
}
