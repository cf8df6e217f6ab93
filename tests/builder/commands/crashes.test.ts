/** No run without a verdict: each row breaks something, runs the real command, mends it, and runs again. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { copyProject } from '../../../scripts/prove/copy-project.ts'
import type { Strike } from '../../../scripts/prove/strike-plan.ts'
import { NO_STRIKE, STRIKE } from '../../../scripts/prove/strike-plan.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { EMPTY_REPORT } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import type { CrashRun, CrashSetup } from '../../support/crash-run.ts'
import { readReport, runBadly } from '../../support/crash-run.ts'
import { product, user, writeFolder } from '../../support/documents.ts'
import { readFiles } from '../../support/files.ts'
import { ROOT } from '../../support/rebuild.ts'
import { mountSmallDisk } from '../../support/small-disk.ts'

const support = (name: string): string => new URL(`../../support/${name}`, import.meta.url).pathname

const folder = mkdtempSync(join(tmpdir(), 'vitrina-crashes-'))
const path = (...names: readonly string[]): string => join(folder, ...names)
const project = path('project')
const bundles = join(project, '.vitrina/commands')
const renderers = join(project, '.vitrina/renderers')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const OLD = [user('ana'), product('uno', 'ana'), user('eva'), product('dos', 'eva')]
const NEW = [...OLD, product('tres', 'ana', { price: 5 })]
/** More pages than one thread renders. */
const MANY = Array.from({ length: 220 }, (_, index) => product(`p${index}`, `s${index}`))
const POISONED = [
  product('p0', 's0', { name: 'poison-memory' }),
  product('p1', 's1', { name: 'poison-uncaught' }),
  ...MANY.slice(2),
]

const flags = (output = path('dist'), state = path('state')): readonly string[] => [
  '--source',
  path('source'),
  '--out',
  output,
  '--state',
  state,
  '--json',
]
const rebuild = (setup: Partial<CrashSetup> = {}): Promise<CrashRun> =>
  runBadly({ project, args: ['rebuild', ...flags()], ...setup })

type Files = Readonly<Record<string, string>>
const readSite = (output = path('dist')): Files => {
  const { '.vitrina': _, ...files } = readFiles(output)
  return files
}

const cleanSites = new Map<readonly SourceDocument[], Files>()
async function buildClean(documents: readonly SourceDocument[]): Promise<Files> {
  const known = cleanSites.get(documents)
  if (known !== undefined) return known
  for (const name of ['clean', 'clean-state']) rmSync(path(name), { recursive: true, force: true })
  writeFolder(path('source'), documents)
  const { code } = await rebuild({ args: ['rebuild', ...flags(path('clean'), path('clean-state'))] })
  expect(code).toBe(0)
  const files = readSite(path('clean'))
  cleanSites.set(documents, files)
  return files
}

/** A site of the old documents stands there, then the documents change. */
async function prepare(documents: readonly SourceDocument[] = NEW): Promise<void> {
  await buildClean(documents)
  for (const name of ['dist', 'state']) rmSync(path(name), { recursive: true, force: true })
  if (documents === NEW)
    for (const name of ['dist', 'state']) cpSync(path('old', name), path(name), { recursive: true })
  writeFolder(path('source'), documents)
}

/** The run failed as it should: code, shape of the JSON, and words that say what to do. */
function expectCrash(run: CrashRun, advice: RegExp, exit = 70): void {
  expect(run, run.stderr).toMatchObject({ code: exit })
  const report = readReport(run)
  expect(Object.keys(report)).toEqual(Object.keys(EMPTY_REPORT))
  expect(report).toMatchObject({ exit, error: expect.stringMatching(advice) as string })
  expect(run.stderr).toMatch(advice)
  // One verdict, not two.
  expect(run.stdout.trim().split('\n')).toHaveLength(1)
}

async function expectRight(documents: readonly SourceDocument[] = NEW): Promise<void> {
  const run = await rebuild()
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect(readReport(run)).toMatchObject({ exit: 0, error: null })
  expect(readSite()).toEqual(await buildClean(documents))
}

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

beforeAll(async () => {
  mkdirSync(project)
  copyProject(project)
  const compiled = join(ROOT, '.vitrina/renderers')
  if (existsSync(compiled)) cpSync(compiled, renderers, { recursive: true })
  writeFolder(path('source'), OLD)
  const { code, stderr } = await rebuild()
  expect(code, stderr).toBe(0)
  for (const name of ['dist', 'state']) cpSync(path(name), path('old', name), { recursive: true })
})
beforeEach(() => prepare())

describe('a bundle of the command that is not whole is made anew', () => {
  it.each<[string, () => void]>([
    ['deleted', () => rmSync(bundles, { recursive: true })],
    ['without its folder', () => rmSync(findBundle(), { recursive: true })],
    ['without a chunk', () => rmSync(findChunk(findBundle(), /^rebuild-.*\.mjs$/))],
    ['with a part of a chunk', () => truncateSync(findChunk(findBundle(), /^open-world-/), 100)],
    ['without the worker', () => rmSync(findChunk(findBundle(), /^render-worker/))],
    ['with a list of nonsense', () => writeFileSync(join(bundles, 'current.json'), '{"folder": ')],
    ['with a list that names nothing', () => writeFileSync(join(bundles, 'current.json'), '{}')],
  ])('%s', async (_, damage) => {
    damage()
    await expectRight()
    expect(existsSync(findBundle())).toBe(true)
  })

  it('among others that are dated in the future', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      mkdirSync(join(bundles, name))
      utimesSync(join(bundles, name), 4e9, 4e9)
    }
    rmSync(findBundle(), { recursive: true })
    await expectRight()
    expect(existsSync(findBundle())).toBe(true)
    expect(readdirSync(bundles).filter((name) => name.length === 1).length).toBeLessThanOrEqual(2)
  })
})

describe('a renderer that is not whole is compiled anew', () => {
  it.each<[string, () => void]>([
    ['deleted', () => rmSync(renderers, { recursive: true })],
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
  ])('%s', async (_, damage) => {
    damage()
    await expectRight()
  })
})

describe('a disk that is full', () => {
  it.for([
    ['of the state', () => path('state'), '300k'],
    ['of the output folder', () => path('dist'), '100k'],
  ] as const)(
    '%s: the run ends with advice, and the next one is right',
    async ([_, find, size], { skip }) => {
      await prepare(MANY)
      const disk = mountSmallDisk(find(), size)
      if (disk === null) return skip('this user may not mount a small disk')
      try {
        expectCrash(await rebuild(), /disk is full: free some space/i)
        disk.grow()
        await expectRight(MANY)
      } finally {
        disk.remove()
      }
    },
  )
})

describe('a disk that takes no more writes', () => {
  it('ends the run with advice, and the next one is right', async () => {
    const strike: Strike = { ...NO_STRIKE, at: 9, action: 'fail', isLasting: true }
    const preload = join(ROOT, 'scripts/prove/strike.ts')
    expectCrash(await rebuild({ preload, env: { [STRIKE]: JSON.stringify(strike) } }), /then run again/)
    await expectRight()
  })
})

describe('few file handles', () => {
  it.each([
    [26, NEW],
    [36, MANY],
    [40, MANY],
    [44, MANY],
  ])('%i are enough, or the run says that they are too few', async (handles, documents) => {
    await prepare(documents)
    const run = await rebuild({ line: `ulimit -n ${handles}; exec "$@"` })
    if (run.code !== 0) expectCrash(run, /ulimit -n 4096/)
    await expectRight(documents)
  })
})

describe('code that cannot be loaded', () => {
  it('ends with advice, and with JSON all the same', async () => {
    const file = join(project, 'src/builder/commands/progress.ts')
    const code = readFileSync(file)
    writeFileSync(file, 'const =')
    const run = await rebuild()
    writeFileSync(file, code)
    expect(run).toMatchObject({ code: 70, stderr: expect.stringContaining('then run again') as string })
    expect(readReport(run)).toEqual({ exit: 70, error: expect.stringContaining('rebuild') as string })
    await expectRight()
  })
})

describe('render workers', () => {
  it('that run out of memory or crash fail the page, not the others', async () => {
    await prepare(POISONED)
    const run = await rebuild({ preload: support('poison.ts') })
    expect(run, run.stderr).toMatchObject({ code: 6 })
    expect(readReport(run)).toMatchObject({ exit: 6, pages: { rendered: 218, failed: 2 }, error: null })
    expect(run.stderr).toMatch(/s0\.html: .*memory/)
    expect(run.stderr).toMatch(/s1\.html: poisoned on purpose/)
    await expectRight(POISONED)
  })
})

describe('an await that never settles', () => {
  it('ends the run with the code of a crash', async () => {
    expectCrash(await rebuild({ preload: support('stall.ts') }), /Run again/)
    await expectRight()
  })
})

describe('killed from outside', () => {
  it.each(['KILL', 'TERM'])('by SIG%s, the exit code is not 0 and the next run is right', async (signal) => {
    await prepare(MANY)
    const run = await rebuild({ line: `"$@" & sleep 0.8; kill -${signal} $!; wait $!` })
    expect(run.code).toBeGreaterThan(128)
    await expectRight(MANY)
  })
})

describe('a reader that leaves', () => {
  it.each(['head -n 1', 'head -c 1', 'true'])('%s: the run goes on to its end', async (reader) => {
    const run = await rebuild({ line: `"$@" | ${reader}; exit \${PIPESTATUS[0]}` })
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(readSite()).toEqual(await buildClean(NEW))
  })
})
