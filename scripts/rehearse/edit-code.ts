/** A sentence of the home page, as it is and as it never should be, on the main branch. */
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

/** Changes the sentence. */
export function editSentence({ checkout }: Surroundings, from: string, to: string): void {
  const file = join(checkout, MESSAGES)
  const text = readFileSync(file, 'utf8')
  requireThat(text.includes(from), `${MESSAGES} has no ${from}`)
  writeFileSync(file, text.replaceAll(from, to))
}

/** The bad code lands on the main branch, and goes live. Returns the steps of its workflow. */
export async function landBadCode(around: Surroundings): Promise<readonly string[]> {
  editSentence(around, GOOD, BAD)
  await waitForRun(around, around.github.push())
  const steps = await demandGreen(around)
  requireThat(await isBad(around), 'the home page does not show the code that landed')
  return steps
}
