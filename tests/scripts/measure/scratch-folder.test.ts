/** Folders of temporary files: whose they are, and which are removed. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findScratchFolder, openScratchFolder } from '../../../scripts/measure/scratch-folder.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

beforeEach(() => void vi.stubEnv('TMPDIR', path()))
afterEach(() => void vi.unstubAllEnvs())

/** The id of a process that has ended. */
function findEndedProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid
}

it('removes the folders of processes that have ended, and keeps those of running ones', () => {
  const own = basename(findScratchFolder('tests'))
  const left = own.replace(/\d+$/, `${findEndedProcess()}`)
  const running = own.replace(/\d+$/, `${process.ppid}`)
  for (const name of [left, running]) mkdirSync(path(`${name}/some/files`), { recursive: true })
  expect(openScratchFolder('tests')).toBe(path(own))
  expect([own, left, running].map((name) => existsSync(path(name)))).toEqual([true, false, true])
})

it('leaves the folders of other users and of other containers alone', () => {
  const [user, namespace] = [process.getuid?.() ?? 0, basename(findScratchFolder('tests')).split('-')[3]]
  const ended = findEndedProcess()
  const others = [`vitrina-tests-${user + 1}-${namespace}-${ended}`, `vitrina-tests-${user}-1-${ended}`]
  for (const name of others) mkdirSync(path(name))
  openScratchFolder('tests')
  expect(others.map((name) => existsSync(path(name)))).toEqual([true, true])
})
