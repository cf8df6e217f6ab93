/** The table of wings determines what is bundled into the Worker. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { bundleText } from '../../../../src/builder/renderer/bundle-text.ts'
import { WINGS } from '../../../../scripts/audit/code/rooms.ts'
import { WORKER_FOLDERS } from '../../../../src/builder/commands/deploy/open-publish-world.ts'
import { ROOT } from '../../../../src/builder/state/project-folder.ts'

const worker = WINGS.filter((wing) => wing.worker).map(({ path }) => path)

it('lists the folders whose change deploys a new Worker', () => {
  expect([...WORKER_FOLDERS].sort()).toEqual([...worker].sort())
})

it('lists the wings that are bundled into the Worker', async () => {
  const { main }: { main: string } = JSON.parse(
    readFileSync(`${ROOT}wrangler.jsonc`, 'utf8').replaceAll(/^\s*\/\/.*$|,(?=\s*[}\]])/gm, ''),
  )
  // Modules of the runtime, and a generated one.
  const runtime = {
    name: 'runtime',
    resolveId: (id: string) => (/^(cloudflare|vitrina):/.test(id) ? { id, external: true } : null),
  }
  const input = `${ROOT}${main}`
  const { modules } = await bundleText({ input, runsIn: 'server', plugins: [runtime] })
  const own = modules.filter((id) => id.startsWith(ROOT) && !id.includes('/node_modules/'))
  const wings = own.map((id) => WINGS.find(({ path }) => id.slice(ROOT.length).startsWith(`${path}/`))?.path)
  expect([...new Set(wings)].sort()).toEqual([...worker].sort())
})
