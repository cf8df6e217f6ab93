/** Runs the tests of the project in a separate process, and reads their results. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { Start } from './conditions.ts'

/** Result of one test file, which the reporter prints as a line of JSON. */
export interface FileResult {
  readonly file: string
  readonly passed: number
  /** Names of failed tests, and messages of errors outside tests. */
  readonly failed: readonly string[]
}

export interface TestRun {
  readonly isGreen: boolean
  readonly passed: number
  /**
   * Each failed test or error as `file: text`. If the run failed without one, the last lines of its stderr, or a fixed
   * message if stderr is empty.
   */
  readonly problems: readonly string[]
}

export interface TestRunOptions {
  /** Paths of test files, or parts of them. */
  readonly tests: readonly string[]
  readonly end: AbortSignal
  onResult(result: FileResult): void
}

const REPORTER = 'scripts/audit/tests/event-reporter.ts'
const LAST_LINES = 20

export async function runTests(start: Start, { tests, end, onResult }: TestRunOptions): Promise<TestRun> {
  const vitest = join(start.folder, 'node_modules/vitest/vitest.mjs')
  const options = ['run', '--config', 'tests/vitest.config.ts', '--reporter', `./${REPORTER}`]
  const [program = '', ...args] = [...start.prefix, process.execPath, vitest, ...options, ...tests]
  const child = spawn(program, args, {
    cwd: start.folder,
    env: { ...process.env, ...start.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(start.uid !== undefined && { uid: start.uid, gid: start.uid }),
  })
  const stop = (): void => void child.kill()
  end.addEventListener('abort', stop)
  const results: FileResult[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const result = parseResult(line)
    if (result === null) return
    results.push(result)
    onResult(result)
  })
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)])
  end.removeEventListener('abort', stop)
  return summarize(results, { isGreen: code === 0, stderr })
}

function summarize(
  results: readonly FileResult[],
  { isGreen, stderr }: { readonly isGreen: boolean; readonly stderr: string },
): TestRun {
  const failed = results.flatMap(({ file, failed: names }) => names.map((name) => `${file}: ${name}`))
  const isUnexplained = !isGreen && failed.length === 0
  const last = stderr.trim() || 'The run failed, but no test failed and no error was printed.'
  return {
    isGreen,
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    problems: isUnexplained ? last.split('\n').slice(-LAST_LINES) : failed,
  }
}

// Returns `null` for other output, such as a line that a test printed to stdout.
function parseResult(line: string): FileResult | null {
  if (!line.startsWith('{"file":')) return null
  return JSON.parse(line) as FileResult
}
