/** Always a verdict: each test breaks something, runs the real command, restores it, and runs again. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  readReport,
  findFaults,
  MANY,
  NEW,
  useCrashSite,
} from '../../../support/rebuild/faults/crash-site.ts'
import { product, writeFolder } from '../../../support/rebuild/documents.ts'

const { project, path, prepare, rebuild, findDifferences, runAgain } = useCrashSite()

beforeEach(() => prepare(NEW))

describe('code that cannot be loaded', () => {
  it('ends with advice, and with JSON all the same', async () => {
    const file = join(project, 'src/builder/commands/terminal/progress.ts')
    const code = readFileSync(file)
    writeFileSync(file, 'const =')
    const run = await rebuild()
    writeFileSync(file, code)
    expect(run).toMatchObject({ code: 70, stderr: expect.stringContaining('then run again') as string })
    expect(readReport(run)).toEqual({ exit: 70, error: expect.stringContaining('rebuild') as string })
    expect(await runAgain(NEW)).toEqual([])
  })
})

const FAULTS = join(import.meta.dirname, '../../../support/rebuild/faults')

it.each([
  ['an await that never settles', join(FAULTS, 'stall.ts'), /Run again/],
  ['an error that nothing catches', join(FAULTS, 'uncaught.ts'), /nothing catches this/],
])('%s ends a run with the exit code of a crash, and with JSON', async (_, preload, advice) => {
  expect(findFaults(await rebuild({ preload }), advice)).toEqual([])
  expect(await runAgain(NEW)).toEqual([])
})

describe('a run that is killed', () => {
  it.each([
    ['KILL', MANY],
    ['TERM', NEW],
  ] as const)(
    'by SIG%s exits with a code other than 0, and the next run repairs the site',
    async (signal, documents) => {
      await prepare(documents)
      const isStopped = `ps -o state= -p $! | grep -q T`
      const run = await rebuild({
        preload: join(import.meta.dirname, '../../../support/rebuild/faults/stop.ts'),
        line: `"$@" & until ${isStopped}; do sleep 0.02; done; kill -${signal} $!; kill -CONT $!; wait $!`,
      })
      expect(run.code).toBeGreaterThan(128)
      expect(await runAgain(documents)).toEqual([])
    },
  )
})

describe('a reader that closes the pipe early', () => {
  it.each(['head -n 1', 'head -c 1', 'true'])('(%s) does not stop the run', async (reader) => {
    const run = await rebuild({ line: `"$@" | ${reader}; exit \${PIPESTATUS[0]}` })
    expect(run.code, run.stderr).toBe(0)
    expect(await findDifferences(NEW)).toEqual([])
  })
})

describe('a slow reader', () => {
  it('receives a long JSON line completely', async () => {
    const wrong = Array.from({ length: 2_000 }, (_, index) => product(`p${index}`, 'ana', { price: 'x' }))
    writeFolder(path('source'), wrong)
    // Starts to read one second after the site is complete.
    const wait = `until [ -e '${path('dist/catalogo/ana.html')}' ]; do sleep 0.05; done; sleep 1`
    rmSync(path('dist'), { recursive: true })
    const run = await rebuild({ line: `"$@" --allow-shrink | (${wait}; cat)` })
    expect(readReport(run)['rejected']).toHaveLength(2_000)
  })
})
