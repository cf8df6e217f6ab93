import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Lock } from '../../../src/builder/state/locks.ts'
import { BusyError, lockFolders } from '../../../src/builder/state/locks.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const lock = (state: string, output: string, command = 'rebuild'): Lock =>
  lockFolders({ state: path(state), output: path(output), command })

it('An output folder is locked for one run, under any of its names', () => {
  mkdirSync(path('real'))
  symlinkSync(path('real'), path('link'))
  for (const name of ['real/a/dist', 'link/a/dist', 'real/../link/a/dist']) {
    const held = lock('one', 'link/a/dist')
    expect(() => lock('two', name)).toThrow(BusyError)
    held.release()
  }
})

it('No lock is left behind when the other folder is taken', () => {
  const held = lock('one', 'dist')
  expect(() => lock('two', 'dist')).toThrow(BusyError)
  lock('two', 'other').release()
  expect(() => lock('one', 'other')).toThrow(BusyError)
  lock('two', 'other').release()
  held.release()
  lock('two', 'dist').release()
  expect(readdirSync(path())).toContain('.dist.lock')
})

it('A state folder inside the output folder is refused, also through a link', () => {
  mkdirSync(path('dist'))
  symlinkSync(path('dist'), path('link'))
  for (const state of ['dist/state', 'link/state', 'dist'])
    expect(() => lock(state, 'dist')).toThrow(/must not be in the output folder/)
})

it('A file in the place of a folder, or above it, is refused', () => {
  writeFileSync(path('file'), 'mine')
  for (const name of ['file', 'file/below']) {
    expect(() => lock(name, 'dist')).toThrow(UsageError)
    expect(() => lock('state', name)).toThrow(UsageError)
  }
})

it('A run that finds a lock names its holder and the way on', () => {
  const held = lock('state', 'dist', 'rebuild --watch')
  expect(() => lock('state', 'other')).toThrow(
    new RegExp(`state is locked. Process ${process.pid} \\(rebuild --watch\\).*Ctrl-C`),
  )
  held.release()
  lock('state', 'dist')
  expect(() => lock('elsewhere', 'dist')).toThrow(/dist is locked. Process \d+ \(rebuild\).*Wait/)
})
