/** Always a verdict: each test breaks something, runs the real command, restores it, and runs again. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findRenderer } from '../../../../src/builder/renderer/compile.ts'
import { readInputManifest } from '../../../../src/builder/renderer/fingerprint.ts'
import { isRendererDamaged } from '../../../../src/builder/renderer/renderer-files.ts'
import { hashManifest } from '../../../../src/builder/state/manifest.ts'
import { readReport } from '../../../support/rebuild/faults/crash-run.ts'
import { product, writeFolder } from '../../../support/rebuild/documents.ts'
import { ROOT } from '../../../../src/builder/state/project-folder.ts'
import { findFaults, MANY, NEW, useCrashSite } from '../../../support/rebuild/faults/crash-site.ts'

const { project, path, prepare, rebuild, findDifferences, runAgain } = useCrashSite()
const bundles = join(project, '.vitrina/commands')
const renderers = join(project, '.vitrina/renderers')

const findBundle = (): string =>
  join(
    bundles,
    (JSON.parse(readFileSync(join(bundles, 'current.json'), 'utf8')) as { folder: string }).folder,
  )
const findChunk = (of: string, wanted: RegExp): string =>
  join(of, readdirSync(of, { recursive: true, encoding: 'utf8' }).find((name) => wanted.test(name)) ?? 'none')
const findRenderers = (): readonly string[] =>
  readdirSync(renderers)
    .filter((name) => existsSync(join(renderers, name, 'server')))
    .map((name) => join(renderers, name))

beforeEach(() => prepare(NEW))

describe('an incomplete bundle of the command', () => {
  const whole = path('bundles')
  beforeAll(() => cpSync(bundles, whole, { recursive: true }))
  afterEach(() => {
    rmSync(bundles, { recursive: true, force: true })
    cpSync(whole, bundles, { recursive: true })
  })

  it.each<[string, () => void]>([
    ['without its folder', () => rmSync(findBundle(), { recursive: true })],
    ['without a chunk', () => rmSync(findChunk(findBundle(), /^open-pending-/))],
    ['with a part of a chunk', () => truncateSync(findChunk(findBundle(), /^start-/), 100)],
    ['without the worker', () => rmSync(findChunk(findBundle(), /^render-worker/))],
    ['with a list of nonsense', () => writeFileSync(join(bundles, 'current.json'), '{"folder": ')],
    ['with a list that names nothing', () => writeFileSync(join(bundles, 'current.json'), '{}')],
  ])('%s is not used', async (_, damage) => {
    const launcher = pathToFileURL(join(project, 'scripts/load-rebuild.mjs')).href
    const { findCurrent } = (await import(launcher)) as { findCurrent(): Promise<string | null> }
    expect(await findCurrent()).toBe(basename(findBundle()))
    damage()
    expect(await findCurrent()).toBeNull()
  })

  it('that is deleted is made again', async () => {
    rmSync(bundles, { recursive: true })
    expect(await runAgain(NEW)).toEqual([])
    expect(existsSync(findBundle())).toBe(true)
  })

  it('among others that are dated in the future', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      mkdirSync(join(bundles, name))
      utimesSync(join(bundles, name), 4e9, 4e9)
    }
    rmSync(findBundle(), { recursive: true })
    expect(await runAgain(NEW)).toEqual([])
    expect(existsSync(findBundle())).toBe(true)
    expect(readdirSync(bundles).filter((name) => name.length === 1).length).toBeLessThanOrEqual(2)
  })
})

describe('an incomplete renderer', () => {
  const copy = path('compiled')
  beforeAll(() => {
    const kept = findRenderer(renderers, hashManifest(readInputManifest(ROOT)))
    const current = dirname(kept?.server ?? '')
    cpSync(current, copy, { recursive: true })
    // The project of the tests may have kept renderers of other code, which no run repairs.
    for (const one of findRenderers()) if (one !== current) rmSync(one, { recursive: true })
  })

  it.each<[string, () => void]>([
    [
      'with a part of a chunk',
      () => findRenderers().forEach((one) => truncateSync(findChunk(one, /server\/chunks\/.*mjs$/), 100)),
    ],
    [
      'with other bytes than were compiled',
      () =>
        findRenderers().forEach((one) => {
          const entry = join(one, 'server/entry.mjs')
          const { length } = readFileSync(entry)
          writeFileSync(entry, '('.padEnd(length))
        }),
    ],
  ])('%s is compiled again', async (_, damage) => {
    damage()
    // The compile itself takes many times as long as the test: its result is there.
    const env = { VITRINA_TEST_COMPILED: copy }
    expect(
      await runAgain(NEW, { preload: join(ROOT, 'tests/support/rebuild/faults/known-compile.ts'), env }),
    ).toEqual([])
    for (const one of findRenderers()) expect(isRendererDamaged(one)).toBe(false)
  })
})

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

describe('an await that never settles', () => {
  it('ends the run with the exit code of a crash', async () => {
    const run = await rebuild({
      preload: join(import.meta.dirname, '../../../support/rebuild/faults/stall.ts'),
    })
    expect(findFaults(run, /Run again/)).toEqual([])
    expect(await runAgain(NEW)).toEqual([])
  })
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
