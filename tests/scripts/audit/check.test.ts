/** `npm run check`: concurrent checks, and the output of those that fail. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Check } from '../../../scripts/audit/check.ts'
import { runChecks } from '../../../scripts/audit/check.ts'
import { createTestTerminal } from '../../support/run/test-terminal.ts'

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

interface Said {
  readonly exit: number
  readonly printed: readonly string[]
  readonly warned: readonly string[]
}

async function run(checks: readonly Check[]): Promise<Said> {
  const [printed, warned]: [string[], string[]] = [[], []]
  const { exit } = await runChecks(checks, {
    ...createTestTerminal({ onPrint: (line) => void printed.push(line) }),
    warn: (line) => warned.push(line),
  })
  return { exit, printed, warned }
}

it('starts all checks at once, and prints the findings of those that fail', async () => {
  const checks = [createCheck('types', null), createCheck('lint', 'a.ts: no'), createCheck('format', null)]
  expect(await run(checks)).toEqual({
    exit: 1,
    printed: ['✓ types', '✓ format'],
    warned: ['✗ lint:\na.ts: no\n', '1 of 3 checks failed: lint.'],
  })
})

it('says at its end that all is well, and exits with 0', async () => {
  const checks = [{ name: 'types', find: async () => null }]
  expect(await run(checks)).toEqual({ exit: 0, printed: ['✓ types', 'All is well.'], warned: [] })
})
