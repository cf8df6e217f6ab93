/** The peak memory of a program and its children, watched from outside. */
import { expect, it } from 'vitest'
import { runMeasured } from '../../../scripts/measure/run-measured.ts'

const MEGABYTE = 2 ** 20

/** Holds `size` MB for 2 s, so that a busy machine looks meanwhile, then nothing. */
const hold = (size: number): string => `
  let held = Buffer.alloc(${size * MEGABYTE}, 1)
  setTimeout(() => { held = null; globalThis.gc(); setTimeout(() => {}, 200) }, 2_000)`

const run = async (script: string): Promise<number> => {
  const args = ['--expose-gc', '--eval', script]
  const { peak } = await runMeasured({ args, folder: '.', watchesMemory: true })
  return (peak ?? 0) / MEGABYTE
}

it.runIf(process.platform === 'linux')('is that of the moment at which they hold most', async () => {
  const least = await run(hold(0))
  const [one, both] = await Promise.all([
    run(hold(200)),
    run(
      `${hold(200)}; require('node:child_process').spawn(process.execPath, ['--expose-gc', '--eval', \`${hold(200)}\`])`,
    ),
  ])
  expect(one - least).toBeGreaterThan(190)
  expect(one - least).toBeLessThan(230)
  expect(both - least).toBeGreaterThan(390)
})
