/** The launcher loads the rebuild command from a bundle of the present sources. */
import { appendFileSync, existsSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { copyProject } from '../../../support/run/copy-project.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

/** Runs `rebuild --help`, and returns what it says on stderr. */
function showHelp(): string {
  const args = ['scripts/vitrina.mjs', 'rebuild', '--help']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: path('project'),
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, expect.stringContaining('Usage: vitrina rebuild')])
  return stderr
}

const listBundles = (): readonly string[] => readdirSync(path('project/.vitrina/commands')).sort()

it('makes a bundle for other sources, keeps three, and replaces one that cannot be loaded', () => {
  copyProject(path('project'))
  expect(showHelp()).toBe('')
  const [bundle = ''] = listBundles()
  expect(showHelp()).toBe('')
  expect(listBundles()).toEqual([bundle])
  const module = path('project/.vitrina/commands', bundle, 'run-rebuild.mjs')
  truncateSync(module, 10)
  expect(showHelp()).toContain('rebuild starts slowly')
  expect(showHelp()).toBe('')
  expect(existsSync(module)).toBe(true)
  for (const text of ['one', 'two', 'three']) {
    appendFileSync(join(path('project'), 'src/domain/messages.ts'), `\n// ${text}\n`)
    expect(showHelp()).toBe('')
  }
  expect(listBundles()).toHaveLength(3)
})
