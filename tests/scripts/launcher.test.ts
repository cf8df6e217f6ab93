/** `scripts/vitrina.mjs` on an older Node: it starts itself with the project's own, and both end together. */
import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { product, user, writeFolder } from '../support/rebuild/documents.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { useTemporaryFolder } from '../support/run/temporary.ts'

const path = useTemporaryFolder()

/** Makes a process believe that its Node is an old one. Its children do not inherit this. */
const OLD_NODE = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`

/** Lets a command take a while to end after a signal, as if it cleaned up. */
const SLOW_END = `const { abort } = AbortController.prototype
AbortController.prototype.abort = function () { setTimeout(() => abort.call(this), 300) }`

let launcher: ChildProcessByStdio<null, Readable, null>

/** Starts `rebuild --watch`, and waits until it has reported its first rebuild. */
beforeEach(async () => {
  writeFolder(path('data'), [user('ana'), product('uno', 'ana')])
  writeFileSync(path('old-node.cjs'), OLD_NODE)
  writeFileSync(path('slow-end.cjs'), SLOW_END)
  const places = ['--source', path('data'), '--out', path('dist'), '--state', path('state')]
  const args = ['--require', path('old-node.cjs'), 'scripts/vitrina.mjs', 'rebuild', '--watch', '--json']
  launcher = spawn(process.execPath, [...args, ...places], {
    cwd: ROOT,
    env: {
      ...process.env,
      PHOTOS: 'off',
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --require ${path('slow-end.cjs')}`,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(launcher.stdout, 'data')
})

afterEach(() => void launcher.kill('SIGKILL'))

it('the launcher hands SIGINT on, which ends the command with its own exit code', async () => {
  launcher.kill('SIGINT')
  expect(await once(launcher, 'exit')).toEqual([0, null])
})

it('the launcher lets the command end by itself although npm sends SIGINT twice', async () => {
  launcher.kill('SIGINT')
  await wait(5)
  launcher.kill('SIGINT')
  expect(await once(launcher, 'exit')).toEqual([0, null])
})

it('the launcher takes the command along when it is killed', async () => {
  const ended = once(launcher, 'exit')
  launcher.kill('SIGKILL')
  // The command holds the pipe too: it is closed once both have ended.
  await once(launcher.stdout.resume(), 'close')
  // The system may report the closed pipe first.
  expect(await ended).toEqual([null, 'SIGKILL'])
})
