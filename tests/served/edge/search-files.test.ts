/** The search on the real runtime, with the project's configuration and the files of a small site. */
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import type { WorkerRuntime } from '../../support/edge/worker-runtime.ts'
import { startRuntime } from '../../support/edge/worker-runtime.ts'
import { useTemporaryFolder, writeTree } from '../../support/run/temporary.ts'
import { createAssets } from '../../support/search/search-assets.ts'

const path = useTemporaryFolder()
let runtime: WorkerRuntime | undefined
afterEach(() => runtime?.kill())

async function start(): Promise<string> {
  const files = [...createAssets().files].map(([address, text]) =>
    address === '/buscar' ? ['buscar.html', text] : [address.slice(1), text],
  )
  const rules = '/*\n  Content-Security-Policy: default-src none\n'
  writeTree(path('dist'), { ...Object.fromEntries(files), '404.html': 'No existe', _headers: rules })
  runtime = await startRuntime({ configuration: join(ROOT, 'wrangler.jsonc'), files: path('dist') })
  return runtime.origin
}

it('the Worker answers 300 searches of an address in a minute, with the headers of every page', async () => {
  const origin = await start()
  const [first, ...others] = await Promise.all(
    Array.from({ length: 4 }, () => fetch(`${origin}/buscar?q=chanel`)),
  )
  expect([first?.status, first?.headers.get('content-security-policy')]).toEqual([200, 'default-src none'])
  expect([first?.headers.get('cache-control'), first?.headers.get('etag')]).toEqual([
    'private, max-age=5',
    null,
  ])
  expect(await first?.text()).toContain('Chanel Bleu de Chanel')
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200])
  const more = await Promise.all(Array.from({ length: 700 }, () => fetch(`${origin}/buscar?q=chanel`)))
  // More than two minutes permit, in case one begins meanwhile.
  expect(new Set(more.map(({ status }) => status))).toEqual(new Set([200, 429]))
})
