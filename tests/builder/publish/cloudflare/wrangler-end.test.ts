/** Cloudflare's tool that does not end by itself. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import { createWrangler } from '../../../../src/builder/publish/cloudflare/wrangler.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
beforeEach(() => mkdirSync(path('node_modules/wrangler/bin'), { recursive: true }))

function run(program: string, timeout: number): Promise<unknown> {
  writeFileSync(path('node_modules/wrangler/bin/wrangler.js'), program)
  return createWrangler({ root: path('.'), environment: {}, stage: null })(['deploy'], timeout)
}

it('is said to be killed if the system did so, as it does when memory runs out', async () => {
  const killed = run("process.kill(process.pid, 'SIGKILL')", 1_800_000)
  await expect(killed).rejects.toThrow(/^wrangler was ended by SIGKILL.*memory/)
})

it('is said to be late if its time is over', async () => {
  await expect(run('setInterval(() => {}, 1000)', 1_000)).rejects.toThrow('wrangler did not end within 1 s')
})
