/** The table of wings, and the list of the Worker's code, match what is bundled into the Worker. */
import { readFileSync } from 'node:fs'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { WINGS } from '../../scripts/audit/code/rooms.ts'
import { ROOT, WORKER_CODE } from '../../src/builder/files/project-folder.ts'

const worker = WINGS.filter((wing) => wing.worker).map(({ path }) => path)

it('lists the wings and paths that are bundled into the Worker', async () => {
  const { main }: { main: string } = JSON.parse(
    readFileSync(`${ROOT}wrangler.jsonc`, 'utf8').replaceAll(/^\s*\/\/.*$|,(?=\s*[}\]])/gm, ''),
  )
  // Modules of the runtime, and a generated one.
  const runtime = {
    name: 'runtime',
    resolveId: (id: string) => (/^(cloudflare|vitrina):/.test(id) ? { id, external: true } : null),
  }
  const input = `${ROOT}${main}`
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [runtime],
    build: { write: false, ssr: true, rolldownOptions: { input } },
  })
  const chunks = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
  const modules = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  const files = modules.filter((id) => id.startsWith(ROOT) && !id.includes('/node_modules/'))
  const own = files.map((id) => id.slice(ROOT.length))
  const wings = own.map((file) => WINGS.find(({ path }) => file.startsWith(`${path}/`))?.path)
  expect([...new Set(wings)].sort()).toEqual([...worker].sort())
  // A change of one of these paths deploys a new Worker.
  const paths = own.map((file) => WORKER_CODE.find((path) => file === path || file.startsWith(`${path}/`)))
  expect([...new Set(paths)].sort()).toEqual([...WORKER_CODE].sort())
})
