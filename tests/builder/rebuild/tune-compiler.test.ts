/** What V8 compiles in a process that tunes it for the pages it renders. */
import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const MODULE = pathToFileURL(resolve('src/builder/rebuild/tune-compiler.ts')).href

it.each([
  { runs: [1_255], isOptimized: false },
  { runs: [10_000], isOptimized: true },
  { runs: [1_255, 10_000], isOptimized: true },
  { runs: [10_000, 1_255], isOptimized: false },
])('after runs of $runs pages hot code is optimized: $isOptimized', ({ runs, isOptimized }) => {
  expect(traceHotCode(runs).includes('TURBOFAN')).toBe(isOptimized)
})

/** Tunes for each run in turn, then calls a function often. Returns what V8 tells of its compilers. */
function traceHotCode(runs: readonly number[]): string {
  const script = `
    import { tuneCompiler } from '${MODULE}'
    for (const pages of ${JSON.stringify(runs)}) tuneCompiler(pages)
    const add = (a, b) => a + b
    let sum = 0
    for (let i = 0; i < 60_000; i += 1) sum = add(sum, i)`
  const args = ['--trace-opt', '--input-type=module', '--eval', script]
  const trace = execFileSync(process.execPath, args, { encoding: 'utf8' })
  expect(trace).toContain('MAGLEV')
  return trace
}
