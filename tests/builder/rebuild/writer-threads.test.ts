/** Many sellers are written by threads, with the same bytes as by one. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import type { World } from '../../../src/builder/rebuild/world.ts'
import {
  countThreads,
  startWriterThreads,
  THREADS_FROM,
} from '../../../src/builder/rebuild/writer-threads.ts'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import { createSellers } from '../../support/rebuild/documents.ts'
import { ensureCompiled, findSampleServer } from '../../support/rebuild/sample-renderer.ts'
import { readFiles } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()
const DOCUMENTS = createSellers(THREADS_FROM + 20, { names: ['a', 'b'] })
const THREAD = fileURLToPath(new URL('../../../src/builder/rebuild/render-thread.ts', import.meta.url))

beforeAll(ensureCompiled)

/** Runs with threads of this module, or without threads. */
async function run(folder: string, module: string | null) {
  const server = findSampleServer()
  const pictures = {
    mode: 'off',
    hosts: { names: [], origins: [] },
    store: '',
    brand: 'Vitrina',
  } as const
  const wrap = (world: World): World => ({
    ...world,
    renderers: { ...world.renderers, load: () => loadRenderer(server, world.readInputs().site) },
    startWriters:
      module === null
        ? null
        : ({ inputs: { site, maxProducts, publicFiles }, isWhole }) =>
            startWriterThreads(module, {
              state: `${folder}/state/state.sqlite`,
              output: `${folder}/dist`,
              server,
              site,
              maxProducts,
              publicFiles: Object.keys(publicFiles),
              pictures,
              isWhole,
            }),
  })
  return runInWorld({ folder, documents: DOCUMENTS, switches: { productPages: true, search: true }, wrap })
}

it('Threads write the same bytes as one thread does', async () => {
  const alone = await run(path('one'), null)
  const together = await run(path('many'), THREAD)
  expect(together.written.pages).toBe(alone.written.pages)
  const [one, many] = ['one', 'many'].map((name) => ({ ...readFiles(path(name, 'dist')), 'estado.json': '' }))
  expect(many).toEqual(one)
})

it('A thread that dies ends the run, and the next one looks at everything', async () => {
  writeFileSync(path('dying.mjs'), 'process.exit(3)')
  await expect(run(path('site'), path('dying.mjs'))).rejects.toThrow(/ended with code 3/)
  await expect(run(path('site'), null)).resolves.toMatchObject({ everything: 'the last run did not end' })
  expect(countThreads()).toBeGreaterThan(0)
})
