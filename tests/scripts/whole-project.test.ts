/** The check of the project itself. As a test, it runs while other tests wait. */
import { expect, it } from 'vitest'
import { captureNode } from '../../scripts/measure/run-tool.ts'
import { build } from 'vite'
import { WINGS } from '../../scripts/audit/code/rooms.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'

it('types, lint, format, imports, and exports are as they should be', { timeout: 1_200_000 }, async () => {
  const { code, output } = await captureNode(['scripts/vitrina.mjs', 'check'])
  expect(code, output).toBe(0)
})

const worker = WINGS.filter((wing) => wing.worker).map(({ path }) => path)

it.each(['worker', 'bucket-worker'])(
  'lists the wings that are bundled into functions/%s.ts',
  async (main) => {
    const runtime = {
      name: 'modules of the runtime',
      resolveId: (id: string) => (id.startsWith('cloudflare:') ? { id, external: true } : null),
    }
    const input = `${ROOT}functions/${main}.ts`
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
  },
)
