/** The peak memory of a program and its children, watched from outside. */
import { existsSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runMeasured } from '../../../scripts/measure/run-measured.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const MEGABYTE = 2 ** 20

/** Holds `size` MB and reports it with a file, until there is a file that ends it. */
const hold = (name: string, size: number, end: string): string => `
  const { existsSync, writeFileSync } = require('node:fs')
  let held = Buffer.alloc(${size * MEGABYTE}, 1)
  writeFileSync(${JSON.stringify(name)}, '')
  const timer = setInterval(() => {
    if (!existsSync(${JSON.stringify(end)})) return
    clearInterval(timer)
    held = null
    globalThis.gc()
  }, 10)`

const start = (script: string): string =>
  `;require('node:child_process').spawn(process.execPath, ['--expose-gc', '--eval', ${JSON.stringify(script)}])`

/** Returns the peak of processes that hold so many MB each: the second is a child of the first. */
async function measure(title: string, ...sizes: readonly number[]): Promise<number> {
  const names = sizes.map((_, index) => path(`${title}-${index}`))
  const end = path(`${title}-end`)
  const [own = '', ...children] = sizes.map((size, index) => hold(names[index] ?? '', size, end))
  let isHeld = false
  const { peak } = await runMeasured({
    args: ['--expose-gc', '--eval', own + children.map(start).join('')],
    folder: '.',
    watchesMemory: true,
    onLook: () => {
      // This look began when all of them held it.
      if (isHeld) writeFileSync(end, '')
      isHeld = names.every((name) => existsSync(name))
    },
  })
  return (peak ?? 0) / MEGABYTE
}

it.runIf(process.platform === 'linux')('is that of the moment at which they hold most', async () => {
  const least = await measure('least', 0)
  const [one, both] = await Promise.all([measure('one', 200), measure('both', 200, 200)])
  expect(one - least).toBeGreaterThan(190)
  expect(one - least).toBeLessThan(230)
  expect(both - least).toBeGreaterThan(390)
})
