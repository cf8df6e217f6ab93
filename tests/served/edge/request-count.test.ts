/** A visitor's requests do not reach the Worker, but for a search. Requests are counted in the Worker, with the site's configuration. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { useSharedFolder, writeTree } from '../../support/run/temporary.ts'
import type { WorkerRuntime } from '../../support/edge/worker-runtime.ts'
import { startRuntime } from '../../support/edge/worker-runtime.ts'

const WORKER = `
import worker from '${join(ROOT, 'functions/worker.ts')}'
export { BuildCoordinator } from '${join(ROOT, 'functions/worker.ts')}'
let count = 0
export default {
  fetch(request, environment, context) {
    if (new URL(request.url).pathname === '/api/rebuild/count') return Response.json(count)
    count += 1
    return worker.fetch(request, environment, context)
  },
}`

const FILES = [
  'index.html',
  '404.html',
  'catalogo/404.html',
  'catalogo/ana.html',
  '_astro/app.js',
  'robots.txt',
]

const path = useSharedFolder()
let runtime: WorkerRuntime
beforeAll(async () => {
  writeTree(path('dist'), Object.fromEntries(FILES.map((file) => [file, file])))
  writeTree(path(), { 'worker.js': WORKER })
  runtime = await startRuntime({
    configuration: join(ROOT, 'wrangler.jsonc'),
    entry: path('worker.js'),
    files: path('dist'),
  })
})
afterAll(() => runtime.kill())

const count = async (): Promise<unknown> => (await fetch(`${runtime.origin}/api/rebuild/count`)).json()

it('the edge serves pages, files and 404 answers without the Worker', async () => {
  const paths = [
    '/',
    '/catalogo/ana',
    '/_astro/app.js',
    '/robots.txt',
    '/catalogo/nobody',
    '/nothing',
    '/buscar/',
    '/apis',
  ]
  const before = await count()
  const answers = await Promise.all(paths.map((asked) => fetch(runtime.origin + asked)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 404, 404, 404])
  expect(await count()).toBe(before)
  await fetch(`${runtime.origin}/api/rebuild`)
  expect(await count()).toBe(Number(before) + 1)
  await fetch(`${runtime.origin}/buscar?q=eau`)
  expect(await count()).toBe(Number(before) + 2)
})
