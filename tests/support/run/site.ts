/** Builds the sample storefront with the real command and serves it, with its search, on the real edge runtime, once for all tests. */
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { TestProject } from 'vitest/node'
import { ensureChromium } from '../../../scripts/audit/chromium.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import type { WorkerRuntime } from '../edge/worker-runtime.ts'
import { runRebuild } from '../rebuild/rebuild.ts'
import { TEMPORARY } from '../suite/temporary-files.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(TEMPORARY, 'vitrina-site-'))
  // All workers would install a missing browser at once.
  const [runtime] = await Promise.all([serveSample(folder), ensureChromium()])
  project.provide('origin', runtime.origin)
  return async () => {
    await runtime.kill()
    rmSync(folder, { recursive: true })
  }
}

async function serveSample(folder: string): Promise<WorkerRuntime> {
  const [output, state] = [join(folder, 'dist'), join(folder, 'state')]
  const environment = { PRODUCT_PAGES: 'on' }
  const source = 'src/builder/sources/sample'
  // The runtime's modules take a second to load, in which the site is built.
  const [{ report, stderr }, { startRuntime }] = await Promise.all([
    runRebuild({ source, output, state, env: environment }),
    import('../edge/worker-runtime.ts'),
  ])
  if (report.exit !== 0) throw new Error(`The sample could not be built: ${stderr}`)
  await paintDrawings(output)
  return startRuntime({ configuration: join(ROOT, 'wrangler.jsonc'), files: output })
}

/** Photos in place of the sample's drawings: a browser spends a third of its time on drawings. */
async function paintDrawings(output: string): Promise<void> {
  const folder = join(output, 'muestra')
  const names = readdirSync(folder)
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name)
      const photo = await sharp(file).resize(200, 250).png().toBuffer()
      // The file may be the one of the project, under a second name.
      rmSync(file)
      writeFileSync(file, photo)
    }),
  )
  appendFileSync(join(output, '_headers'), '/muestra/*\n  Content-Type: image/png\n')
}
