/** The rebuild command with real folders: its exit codes, its report and its explanation. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createRebuildReport } from '../../../../src/builder/commands/rebuild/rebuild-report.ts'
import type { RebuildOutcome } from '../../../../src/builder/rebuild/rebuild.ts'
import { lockFolders } from '../../../../src/builder/state/locks.ts'
import { damageDatabase, useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createSellers, product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { rebuildHere } from '../../../support/rebuild/run-here.ts'
import { readFiles } from '../../../support/run/files.ts'

const path = useTemporaryFolder()

const DOCUMENTS = [user('ana'), product('uno', 'ana'), user('eva'), product('dos', 'eva')]

function rebuild(...options: readonly string[]) {
  return rebuildHere({ source: path('data'), output: path('dist'), state: path('state') }, ...options)
}

/** Returns the files of the site without its marker, which differs for each run. */
function readSite(): Readonly<Record<string, string>> {
  const { 'estado.json': _, ...files } = readFiles(path('dist'))
  return files
}

it('A rebuild reports what it read, rejected, wrote and removed', async () => {
  writeFolder(path('data'), [...DOCUMENTS, product('odd', 'ana', { price: 'x' })])
  const first = await rebuild()
  expect(first.report).toMatchObject({
    exit: 0,
    sellers: 2,
    products: 3,
    reads: 5,
    rejected: [{ collection: 'cataloge', id: 'odd', field: 'price' }],
    everything: 'there is no site yet',
    error: null,
  })
  writeFolder(path('data'), [user('ana'), product('uno', 'ana', { price: 4321 })])
  const second = await rebuild()
  expect(second.report).toMatchObject({
    sellers: 1,
    reads: 2,
    rejected: [],
    pages: { written: 1, failed: 0 },
    everything: null,
  })
  expect(second.report.pages.removed).toBeGreaterThan(0)
  expect(second.stdout).toContain('/catalogo/ana')
})

it.each(['--full', '--verify'])(
  'A rebuild with %s repairs a file that was edited, and removes a stray',
  async (option) => {
    writeFolder(path('data'), DOCUMENTS)
    await rebuild()
    const site = readSite()
    writeFileSync(path('dist/catalogo/ana.html'), 'edited')
    writeFileSync(path('dist/stray.html'), 'stray')
    expect((await rebuild(option)).report).toMatchObject({ pages: { written: 1, removed: 1 } })
    expect(readSite()).toEqual(site)
  },
)

it.each(['--explain', '--dry-run'])(
  'A rebuild with %s changes nothing, and names the files that the next run changes, and why',
  async (option) => {
    writeFolder(path('data'), DOCUMENTS)
    await rebuild()
    writeFolder(path('data'), [user('ana'), product('uno', 'ana', { price: 1250 })])
    const [before, state] = [readFiles(path('dist')), readFiles(path('state'))['state.sqlite']]
    const { code, stdout } = await rebuild(option)
    expect(code).toBe(0)
    expect(stdout).toContain('price 1,300 → 1,250')
    expect(stdout).toMatch(/seller eva, profile: removed/)
    expect(readFiles(path('dist'))).toEqual(before)
    expect(readFiles(path('state'))['state.sqlite']).toBe(state)
    const told = [...stdout.matchAll(/^ {2}(write|remove) +(\S+)$/gm)].map(
      ([, way, file]) => `${way} ${file}`,
    )
    await rebuild()
    const after = readFiles(path('dist'))
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => name !== 'estado.json' && before[name] !== after[name])
      .map((name) => `${name in after ? 'write' : 'remove'} ${name}`)
    expect(told.toSorted()).toEqual(changed.toSorted())
  },
)

it('A rebuild with --explain names a setting that changed', async () => {
  writeFolder(path('data'), DOCUMENTS)
  await rebuild()
  const place = {
    source: path('data'),
    output: path('dist'),
    state: path('state'),
    env: { SITE_NAME: 'Otra' },
  }
  const { stdout } = await rebuildHere(place, '--explain')
  expect(stdout).toContain('Everything is due: setting SITE_NAME: "Vitrina" → "Otra"')
})

it('A rebuild with --seller renews her files, although her documents are unchanged', async () => {
  writeFolder(path('data'), DOCUMENTS)
  await rebuild()
  writeFileSync(path('dist/catalogo/ana.html'), 'edited')
  expect((await rebuild()).report.pages.written).toBe(0)
  expect((await rebuild('--seller', 'ana')).report.pages.written).toBe(1)
  expect((await rebuild('--seller', 'nobody')).code).toBe(2)
})

it('A change that removes much of the site ends with code 4, until --allow-shrink accepts it', async () => {
  writeFolder(path('data'), createSellers(40))
  await rebuild()
  const site = readSite()
  writeFolder(path('data'), createSellers(5))
  expect((await rebuild()).report).toMatchObject({
    exit: 4,
    error: expect.stringContaining('--allow-shrink') as string,
  })
  expect(readSite()).toEqual(site)
  expect((await rebuild('--allow-shrink')).report).toMatchObject({ exit: 0, sellers: 5 })
})

it('A rebuild ends with code 5 while another process uses the folders, also if it is explained', async () => {
  writeFolder(path('data'), DOCUMENTS)
  const lock = lockFolders({ output: path('dist'), state: path('state'), command: 'rebuild' })
  expect([(await rebuild()).code, (await rebuild('--explain')).code]).toEqual([5, 5])
  lock.release()
  expect((await rebuild()).code).toBe(0)
})

it('A rebuild refuses an output folder with the files of others', async () => {
  writeFolder(path('data'), DOCUMENTS)
  mkdirSync(path('dist'))
  writeFileSync(path('dist/thesis.txt'), 'mine')
  expect((await rebuild()).report).toMatchObject({
    exit: 2,
    error: expect.stringContaining('thesis.txt') as string,
  })
  expect(Object.keys(readFiles(path('dist')))).toEqual(['thesis.txt'])
  expect(readdirSync(path()).toSorted()).toEqual(['data', 'dist'])
})

it('A first rebuild with --explain creates nothing', async () => {
  writeFolder(path('data'), DOCUMENTS)
  expect((await rebuild('--explain')).code).toBe(0)
  expect(readdirSync(path())).toEqual(['data'])
})

it('A folder in the place of the state is refused with its path', async () => {
  writeFolder(path('data'), DOCUMENTS)
  mkdirSync(path('state/state.sqlite'), { recursive: true })
  expect((await rebuild()).report).toMatchObject({
    exit: 2,
    error: expect.stringContaining(path('state/state.sqlite')) as string,
  })
})

it('A damaged state is replaced, and everything is read again', async () => {
  writeFolder(path('data'), DOCUMENTS)
  await rebuild()
  const site = readSite()
  damageDatabase(path('state/state.sqlite'))
  const { code, report } = await rebuild()
  expect([code, report.reads]).toEqual([0, 4])
  expect(report.everything).not.toBeNull()
  expect(readSite()).toEqual(site)
})

it('The exit code is 6 as long as a seller has failed, also in a run that tried nothing', () => {
  const outcome = {
    totals: { sellers: 1, products: 0 },
    read: { reads: 0, unknownSellers: [], differences: [] },
    problems: [],
    written: { pages: 0, files: 0, examples: [] },
    removed: 0,
    failures: [],
    failed: [{ seller: 'ana', reason: 'catalogo/ana.html: broken', tries: 1, next: 0 }],
  } as unknown as RebuildOutcome
  expect(createRebuildReport(outcome, 0).exit).toBe(6)
})
