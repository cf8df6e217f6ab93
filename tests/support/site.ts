/** Builds the sample storefront with the real command and serves it, with its search, on the real edge runtime, once for all tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { serveSite } from '../../scripts/audit/temporary-site.ts'
import { runRebuild } from './rebuild.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-site-'))
  const output = join(folder, 'dist')
  const [state, environment] = [join(folder, 'state'), { PRODUCT_PAGES: 'on' }]
  const { report, stderr } = await runRebuild({
    source: 'src/builder/sources/sample',
    output,
    state,
    env: environment,
  })
  if (report.exit !== 0) throw new Error(`The sample could not be built: ${stderr}`)
  const edge = await serveSite({ output, state, environment })
  project.provide('origin', edge.origin)
  return async () => {
    await edge.close()
    rmSync(folder, { recursive: true })
  }
}
