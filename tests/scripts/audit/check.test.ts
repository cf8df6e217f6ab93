/** `npm run check`: concurrent checks, and the output of those that fail. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Check } from '../../../scripts/audit/check.ts'
import { runChecks } from '../../../scripts/audit/check.ts'

const started: string[] = []

function createCheck(name: string, found: string | null): Check {
  const find = async (): Promise<string | null> => {
    started.push(name)
    await turn()
    expect(started).toEqual(['types', 'lint', 'format'])
    return found
  }
  return { name, find }
}

it('starts all checks at once, and prints the findings of those that fail', async () => {
  const lines: string[] = []
  const checks = [createCheck('types', null), createCheck('lint', 'a.ts: no'), createCheck('format', null)]
  expect(await runChecks(checks, { warn: (line) => lines.push(line) })).toEqual({ exit: 1 })
  expect(lines).toEqual(['lint:\na.ts: no\n'])
})

it('exits with 0 and without output if nothing is wrong', async () => {
  const lines: string[] = []
  const checks = [{ name: 'types', find: async () => null }]
  expect(await runChecks(checks, { warn: (line) => lines.push(line) })).toEqual({ exit: 0 })
  expect(lines).toEqual([])
})
