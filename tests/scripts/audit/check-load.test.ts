/** `check:load`: the end of a run in which a condition was left out. */
import { expect, it } from 'vitest'
import { command } from '../../../scripts/audit/check-load.ts'
import type { Condition } from '../../../scripts/audit/tests/conditions.ts'
import { createTestTerminal } from '../../support/run/test-terminal.ts'

const impossible: Condition = {
  name: 'other-user',
  holds: 'another user',
  findObstacle: () => 'only root can',
  prepare: () => expect.unreachable('the condition was imposed'),
}

it('names the conditions that it left out', async () => {
  const printed: string[] = []
  await command.run(
    { conditions: [impossible], tests: [] },
    createTestTerminal({ onPrint: (line) => void printed.push(line) }),
  )
  expect(printed).toEqual([
    '- 1 of 1: another user: left out, only root can',
    'Tests passed under each condition, except those left out: other-user.',
  ])
})
