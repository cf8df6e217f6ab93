/** The trace of V8 shows which of its compilers run. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const MODULE = pathToFileURL(resolve('src/builder/renderer/fast/tune-compiler.ts')).href

it.each([
  ['is not optimized in a run of few pages', 'tuneCompiler(1_255)', false],
  ['is optimized after it', 'tuneCompiler(1_255)()', true],
  ['is optimized in a run of many', 'tuneCompiler(10_000)', true],
])('code that is called often %s', (_, statement, isOptimized) => {
  const script = `
    import { tuneCompiler } from '${MODULE}'
    ${statement}
    const add = (a, b) => a + b
    let sum = 0
    for (let i = 0; i < 60_000; i += 1) sum = add(sum, i)`
  // Optimized code is there before the script ends, however busy the machine is.
  const flags = ['--trace-opt', '--no-concurrent-recompilation']
  const args = [...flags, '--input-type=module', '--eval', script]
  const trace = execFileSync(process.execPath, args, { encoding: 'utf8' })
  expect(trace).toContain('MAGLEV')
  expect(trace.includes('TURBOFAN')).toBe(isOptimized)
})
