import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import type { GeneratedWorker } from '../../../../src/builder/publish/worker/prepare-worker.ts'
import { generateWorker } from '../../../../src/builder/publish/worker/prepare-worker.ts'
import type { KeptRenderer } from '../../../../src/builder/renderer/compile.ts'
import type { PageKindHashes } from '../../../../src/builder/renderer/compiled-lists.ts'
import { ROOT } from '../../../../src/builder/state/project-folder.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createSite } from '../../../support/site.ts'

const path = useTemporaryFolder()

function prepare(kinds: Partial<KeptRenderer['kinds']> = {}, search = true): GeneratedWorker {
  return generateWorker({
    root: ROOT,
    folder: path('state/worker'),
    output: path('dist'),
    kept: createKept(path('server'), { search: 'a', home: 'a', ...kinds }, 'null'),
    site: createSite({ url: 'https://vitrina.example', search }),
  })
}

it('writes equal files for equal inputs, and touches none of them', () => {
  const read = (): unknown =>
    readdirSync(path('state/worker'), { recursive: true, encoding: 'utf8' }).map((name) => {
      const file = path('state/worker', name)
      return [name, statSync(file).mtimeMs, statSync(file).isFile() ? readFileSync(file, 'utf8') : '']
    })
  const worker = prepare()
  const before = read()
  expect(prepare()).toEqual(worker)
  expect(read()).toEqual(before)
})

it("is the project's Worker with the renderer, which no page but the search wakes", () => {
  const { configuration } = prepare()
  const written = JSON.parse(readFileSync(configuration, 'utf8'))
  expect(written.main).toBe(relative(dirname(configuration), join(ROOT, 'functions/worker.ts')))
  expect(written.alias).toEqual({ 'vitrina:compiled': './compiled.mjs' })
  expect(written.assets).toMatchObject({
    directory: '../../dist',
    run_worker_first: ['/buscar', '/api/rebuild*'],
  })
  for (const { ratelimits, durable_objects } of [written, written.env.staging]) {
    expect(ratelimits).toMatchObject([{ name: 'SEARCH_LIMIT' }, { name: 'CALL_LIMIT' }])
    expect(durable_objects.bindings).toHaveLength(2)
  }
  const module = readFileSync(join(dirname(configuration), 'compiled.mjs'), 'utf8')
  expect(module).toContain("import { createRenderer } from './server/entry.mjs'")
  expect(module).toContain("'sha256-x'")
})

it('has no index, no limit of searches and no page of its own without a search', () => {
  const written = JSON.parse(readFileSync(prepare({}, false).configuration, 'utf8'))
  expect(written.assets).toMatchObject({ directory: '../../dist', run_worker_first: ['/api/rebuild*'] })
  for (const { ratelimits, durable_objects, vars } of [written, written.env.staging]) {
    expect(ratelimits).toMatchObject([{ name: 'CALL_LIMIT' }])
    expect(durable_objects.bindings).toEqual([{ name: 'COORDINATOR', class_name: 'SiteCoordinator' }])
    expect(Object.keys(vars)).toEqual(['REBUILD_QUIET_MS', 'REBUILD_LONGEST_WAIT_MS'])
  }
  // Without its class of objects the index would lose what it has.
  expect(JSON.stringify(written.migrations)).toContain('SearchShard')
})

it('logs no addresses, which have what visitors search for', () => {
  const { observability } = JSON.parse(readFileSync(prepare().configuration, 'utf8'))
  expect(observability).toEqual({ enabled: true, logs: { enabled: true, invocation_logs: false } })
})

it('names the code by the page of the search alone', () => {
  const { code } = prepare()
  expect([prepare(), prepare({ home: 'b' })].map((one) => one.code)).toEqual([code, code])
  expect(prepare({ search: 'b' }).code).not.toBe(code)
})

/** Writes a server entry that exports `value`, which is code, in place of a renderer. */
function createKept(server: string, kinds: Partial<PageKindHashes>, value: string): KeptRenderer {
  mkdirSync(server, { recursive: true })
  writeFileSync(join(server, 'entry.mjs'), `export const createRenderer = ${value}`)
  const inline = { scripts: ["'sha256-x'"], styles: [] }
  return { server, client: '', assets: {}, inline, kinds: kinds as PageKindHashes }
}
