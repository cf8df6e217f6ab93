/** `prove`: plays many random stories of rebuilds and around the coordinator. `npm test` plays the same tests with few. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { createCountParser } from '../measure/parse-count.ts'

const parseCount = createCountParser(0, 999_999_999)

interface Stories {
  readonly stories: number
  readonly seed: number
}

const VITEST = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'tests/vitest.config.ts']
const TESTS = ['rebuild', 'coordinator'].map((name) => `tests/model/${name}.test.ts`)
const TEST = [...TESTS, '--testNamePattern', 'random stories', '--testTimeout', '0']

export const command: CommandDefinition<Stories> = {
  blank: {},
  configure: (parser) => {
    parser
      .option('--stories <n>', 'number of random stories', parseCount, 2_000)
      .option('--seed <n>', 'the same seed gives the same stories', parseCount, Date.now() % 1_000_000)
  },
  parse: ({ flags }) => flags as unknown as Stories,
  run: async ({ stories, seed }, { print }) => {
    const variables = { VITRINA_STORIES: String(stories), VITRINA_SEED: String(seed) }
    // Both streams of the tests go to stderr: stdout belongs to the report.
    const child = spawn(process.execPath, [...VITEST, ...TEST], {
      cwd: ROOT,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, ...variables },
    })
    const [code] = await once(child, 'exit')
    const isDone = code === 0
    print(`${isDone ? 'no difference in' : 'a difference in one of'} ${stories} stories (seed ${seed})`)
    return { exit: isDone ? EXIT.done : EXIT.attention, report: { stories, seed } }
  },
}
