/** Builds the sample storefront with the real command and serves it on the real edge runtime, once for all tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findFreePort, startEdge } from '../../src/builder/publish/local-edge.ts'
import { runRebuild } from './rebuild.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-site-'))
  const output = join(folder, 'dist')
  const { report, stderr } = await runRebuild({
    source: 'src/builder/sources/sample',
    output,
    state: join(folder, 'state'),
    env: { PRODUCT_PAGES: 'on' },
  })
  if (report.exit !== 0) throw new Error(`The sample could not be built: ${stderr}`)
  const edge = await startEdge({ port: await findFreePort(), serve: { folder: output } })
  project.provide('origin', edge.origin)
  return async () => {
    await edge.close()
    rmSync(folder, { recursive: true })
  }
}
