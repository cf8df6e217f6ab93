/** `check:load`: how the tests are started, and what is read of them. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import type { FileResult, TestRun } from '../../../../scripts/audit/tests/run-tests.ts'
import { runTests } from '../../../../scripts/audit/tests/run-tests.ts'
import { ROOT } from '../../../../src/builder/state/project-folder.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

/** A project of two test files, with the packages and the reporter of this one. */
beforeEach(() => {
  mkdirSync(path('tests'))
  for (const name of ['node_modules', 'scripts']) symlinkSync(`${ROOT}/${name}`, path(name))
  writeFileSync(path('tests/vitest.config.ts'), `export default { root: ${JSON.stringify(path())} }`)
  const head = `import { expect, it } from 'vitest'\n`
  const colour = `it('sees its variable', () => expect(process.env.COLOUR).toBe('blue'))\n`
  writeFileSync(path('tests/good.test.ts'), `${head}${colour}`)
  writeFileSync(path('tests/bad.test.ts'), `${head}${colour}it('fails', () => expect(1).toBe(2))`)
})

async function run(tests: readonly string[]): Promise<TestRun & { readonly seen: readonly string[] }> {
  const seen: string[] = []
  const start = { folder: path(), prefix: ['env', 'COLOUR=blue'], environment: {} }
  const onResult = ({ file }: FileResult): void => void seen.push(file)
  return { ...(await runTests(start, { tests, end: new AbortController().signal, onResult })), seen }
}

it('counts what passes, and names each test that fails', async () => {
  const { seen, ...result } = await run([])
  expect(seen.toSorted()).toEqual(['tests/bad.test.ts', 'tests/good.test.ts'])
  expect(result).toEqual({ isGreen: false, passed: 2, problems: ['tests/bad.test.ts: fails'] })
})

it('is green when each test passes, and not when no test runs', async () => {
  expect(await run(['good'])).toMatchObject({ isGreen: true, passed: 1, problems: [] })
  expect(await run(['nothing'])).toMatchObject({ isGreen: false, passed: 0 })
})
