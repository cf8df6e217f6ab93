/** Cloudflare's tool that does not end by itself. */
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createWrangler } from '../../../../src/builder/publish/cloudflare/wrangler.ts'
import { useTemporaryFolder, writeTree } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

/** Like the real one, runs the program in a further process, and ends with a number even if a signal ended that one. */
const WRAPPER = `const program = require('node:path').join(__dirname, '../wrangler-dist/cli.js')
require('node:child_process')
  .spawn(process.execPath, [program], { stdio: 'inherit' })
  .on('exit', (code, signal) => process.exit(signal === null ? code : 137))`

function run(program: string, timeout: number): Promise<unknown> {
  writeTree(path('node_modules/wrangler'), { 'bin/wrangler.js': WRAPPER, 'wrangler-dist/cli.js': program })
  return createWrangler({ root: path('.'), environment: {}, stage: null })(['deploy'], timeout)
}

it('is said to be killed if the system did so, as it does when memory runs out', async () => {
  const killed = run("process.kill(process.pid, 'SIGKILL')", 1_800_000)
  await expect(killed).rejects.toThrow(/^wrangler was ended by SIGKILL.*memory/)
})

it('is said to be late if its time is over, and goes on no longer', async () => {
  const program = "setTimeout(() => require('node:fs').writeFileSync('done', ''), 5000)"
  await expect(run(program, 1_000)).rejects.toThrow('wrangler did not end within 1 s')
  expect(existsSync(path('done'))).toBe(false)
})
