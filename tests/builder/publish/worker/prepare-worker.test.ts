import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import type {
  GeneratedWorker,
  ObjectOptions,
  GeneratedOptions,
} from '../../../../src/builder/publish/worker/prepare-worker.ts'
import { generateWorker } from '../../../../src/builder/publish/worker/prepare-worker.ts'
import { ROOT } from '../../../../src/builder/state/project-folder.ts'
import { createKept } from '../../../support/edge/kept-renderer.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createSite } from '../../../support/site.ts'

const path = useTemporaryFolder()

const KINDS = [
  'home',
  'catalogue',
  'product',
  'unknown-product',
  'poster',
  'unknown-catalogue',
  'not-found',
  'search',
] as const

const PICTURES = { mode: 'off', hosts: { names: [], origins: [] }, makesPreviews: true } as const
const DATA = { maxProducts: 5_000, publicFiles: ['b.png', 'a.png'], pictures: PICTURES }

type Change = Partial<Pick<GeneratedOptions, 'site'> & ObjectOptions>

function prepare({ site, ...objects }: Change = {}, kind = 'a', search = kind): GeneratedWorker {
  const kinds = { ...Object.fromEntries(KINDS.map((one) => [one, kind])), search }
  return generateWorker({
    root: ROOT,
    folder: path('state/worker'),
    output: path('dist'),
    kept: createKept(path('renderers', kind, 'server'), kinds, `'${kind}'`),
    site: site ?? createSite({ url: 'https://vitrina.example' }),
    objects: {
      code: { intake: 'intake', pageData: 'page data', rendering: 'rendering' },
      data: DATA,
      maxAge: 5,
      ...objects,
    },
  })
}

it('writes equal files for equal inputs, and touches none of them', () => {
  const { configuration, code } = prepare()
  const read = (): unknown =>
    readdirSync(path('state/worker'), { recursive: true, encoding: 'utf8' }).map((name) => {
      const file = path('state/worker', name)
      return [name, statSync(file).mtimeMs, statSync(file).isFile() ? readFileSync(file, 'utf8') : '']
    })
  const before = read()
  expect(prepare()).toEqual({ configuration, code, intake: expect.any(String) })
  expect(read()).toEqual(before)
})

it('names the code by the renderer, the settings and the policy', () => {
  const site = createSite({ name: 'Otra', url: 'https://vitrina.example' })
  const { code, intake } = prepare()
  const codes = [
    prepare({}, 'b'),
    prepare({ site }),
    prepare({ code: { intake: 'other', pageData: 'page data', rendering: 'rendering' } }),
    // No object holds a page of the search.
    prepare({}, 'a', 'other'),
  ]
  expect(codes.map((one) => one.code === code)).toEqual([false, false, true, true])
  expect(codes.map((one) => one.intake === intake)).toEqual([true, true, false, true])
  expect(readFileSync(path('state/worker/server/entry.mjs'), 'utf8')).toContain("'a'")
})

it('names by the intake what data depends on, and nothing else', () => {
  const { code, intake } = prepare()
  const hosts = { names: ['photos.example'], origins: [] }
  const change = (data: Partial<typeof DATA>): GeneratedWorker => prepare({ data: { ...DATA, ...data } })
  const changed = [
    change({ publicFiles: ['a.png'] }),
    change({ maxProducts: 200 }),
    prepare({ data: { ...DATA, pictures: { ...PICTURES, mode: 'service' } } }),
    // In this mode neither changes data.
    prepare({ data: { ...DATA, pictures: { ...PICTURES, hosts, makesPreviews: false } } }),
    change({ publicFiles: ['a.png', 'b.png'] }),
  ]
  expect(changed.map((one) => one.intake === intake)).toEqual([false, false, false, true, true])
  expect(new Set(changed.map((one) => one.code))).toEqual(new Set([code]))
})

it('gives each stage a bucket of its own, and leads every page to the Worker', () => {
  const { configuration } = prepare()
  const written = JSON.parse(readFileSync(configuration, 'utf8'))
  expect(written.main).toBe(relative(dirname(configuration), join(ROOT, 'functions/worker.ts')))
  expect(written.r2_buckets).toEqual([{ binding: 'PAGES', bucket_name: 'vitrina-pages' }])
  expect(written.env.staging.r2_buckets).toEqual([{ binding: 'PAGES', bucket_name: 'vitrina-staging-pages' }])
  expect(written.assets).toMatchObject({
    directory: '../../dist',
    binding: 'ASSETS',
    not_found_handling: '404-page',
    run_worker_first: expect.arrayContaining(['/', '/catalogo/*', '/estado.json', '/api/rebuild*']),
  })
  const { configuration: chosen } = prepare({ variables: { DISPATCH: 'url' } })
  const { vars, env } = JSON.parse(readFileSync(chosen, 'utf8'))
  for (const set of [vars, env.staging.vars])
    expect(set).toMatchObject({ EDGE_MAX_AGE: '5', DISPATCH: 'url' })
  // Everything else is the project's own.
  expect(written.durable_objects.bindings).toEqual([
    { name: 'COORDINATOR', class_name: 'SiteCoordinator' },
    { name: 'SEARCH_INDEX', class_name: 'SearchShard' },
  ])
  expect(written.env.staging.durable_objects).toEqual(written.durable_objects)
  expect(written.vars.SEARCH_SHARDS).toBe('1')
  const site = createSite({ url: 'https://vitrina.example', search: false })
  const { assets, durable_objects } = JSON.parse(readFileSync(prepare({ site }).configuration, 'utf8'))
  const paths: readonly string[] = written.assets.run_worker_first
  expect(assets.run_worker_first).toEqual(paths.filter((one) => one !== '/buscar'))
  expect(durable_objects.bindings).toHaveLength(1)
  expect(written.triggers.crons.length).toBe(1)
})

it('keeps the Worker out of the hashed files of the deployment, as far as the rules are enough', () => {
  mkdirSync(path('dist/_astro'), { recursive: true })
  for (let number = 0; number < 120; number += 1) writeFileSync(path('dist/_astro', `f${number}.js`), '')
  writeFileSync(path('dist/_astro', `${'long'.repeat(25)}.js`), '')
  const { run_worker_first: rules } = JSON.parse(readFileSync(prepare().configuration, 'utf8')).assets
  expect(rules).toHaveLength(100)
  expect(rules).toEqual(expect.arrayContaining(['/_astro/*', '!/_astro/f0.js']))
})
