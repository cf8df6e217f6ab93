import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { BusyError, checkFolders, lockFolders } from '../../../src/builder/state/lock-folders.ts'
import { formatHolder, readHolder } from '../../../src/builder/state/lock-holder.ts'
import type { Lock } from '../../../src/builder/state/sqlite/lock.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const lock = (state: string, output: string, command = 'rebuild') =>
  lockFolders({ state: path(state), output: path(output), command })
const release = (locks: readonly Lock[]): void => locks.forEach((one) => one.release())

it('locks one output folder for one run, under any of its names and before it is made', () => {
  mkdirSync(path('real'))
  symlinkSync(path('real'), path('link'))
  for (const name of ['real/a/dist', 'link/a/dist', 'real/../link/a/dist']) {
    const held = lock('one', 'link/a/dist')
    expect(() => lock('two', name)).toThrow(BusyError)
    release(held)
  }
  const held = lock('one', 'link/a/dist')
  mkdirSync(path('real/a/dist'), { recursive: true })
  expect(() => lock('two', 'real/a/dist')).toThrow(BusyError)
  release(held)
})

it('leaves no lock behind when the output folder is taken', () => {
  const held = lock('one', 'dist')
  expect(() => lock('two', 'dist')).toThrow(BusyError)
  release(lock('two', 'other'))
  release(held)
  release(lock('two', 'dist'))
})

it('leaves no lock behind when the note about its holder cannot be written', () => {
  mkdirSync(path('one/lock.sqlite.holder.json/folder'), { recursive: true })
  expect(() => lock('one', 'dist')).toThrow(/holder\.json/)
  rmSync(path('one/lock.sqlite.holder.json'), { recursive: true })
  release(lock('one', 'dist'))
})

it('locks the output folder by a file beside it, with any temporary folder', () => {
  const { TMPDIR } = process.env
  const held = lock('one', 'dist')
  expect(readdirSync(path('.'))).toContain('.dist.lock')
  try {
    process.env['TMPDIR'] = path('tmp')
    expect(() => lock('two', 'dist')).toThrow(BusyError)
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  }
  release(held)
})

it('writes nothing through a link in the place of a lock or its note', () => {
  writeFileSync(path('precious'), 'precious')
  for (const name of ['.dist.lock', 'state/lock.sqlite']) {
    mkdirSync(path('state'), { recursive: true })
    rmSync(path(name), { force: true })
    symlinkSync(path('precious'), path(name))
    expect(() => lock('state', 'dist')).toThrow(UsageError)
    rmSync(path(name))
    symlinkSync(path('precious'), path(`${name}.holder.json`))
    release(lock('state', 'dist'))
  }
  expect(readFileSync(path('precious'), 'utf8')).toBe('precious')
})

it('refuses a state folder inside the output folder, also through a link', () => {
  mkdirSync(path('dist'))
  symlinkSync(path('dist'), path('link'))
  for (const state of ['dist/state', 'link/state', 'dist'])
    expect(() => lock(state, 'dist')).toThrow(/must not be inside/)
})

it('refuses a file in the place of a folder, above it too, and makes nothing', () => {
  writeFileSync(path('file'), 'mine')
  symlinkSync(path('nowhere'), path('dangling'))
  for (const name of ['file', 'file/below', 'dangling'])
    for (const [state, output] of [
      [name, 'dist'],
      ['state', name],
    ] as const)
      expect(() => lock(state, output)).toThrow(expect.objectContaining({ name: 'UsageError' }))
  expect(readdirSync(path()).toSorted()).toEqual(['dangling', 'file'])
  expect(() => checkFolders({ state: path('state'), output: path('file') })).toThrow(/file is not a folder/)
})

it.runIf(process.platform === 'linux')('refuses a folder in which nothing can be made', () => {
  for (const name of ['/proc/vitrina', '/proc/vitrina/deep']) {
    expect(() => lockFolders({ state: name, output: path('dist'), command: '' })).toThrow(UsageError)
    expect(() => lockFolders({ state: path('state'), output: name, command: '' })).toThrow(UsageError)
  }
})

it('names the holder and the way on, and no holder after the release', () => {
  const held = lock('state', 'dist', 'rebuild --watch')
  const words = new RegExp(
    `state is locked. Process ${process.pid} \\(rebuild --watch, since 2.*Z\\).*Ctrl-C`,
  )
  expect(() => lock('state', 'other')).toThrow(words)
  release(held)
  expect(existsSync(path('state/lock.sqlite.holder.json'))).toBe(false)
  const other = lock('state', 'dist')
  expect(() => lock('elsewhere', 'dist')).toThrow(/dist is locked. Process \d+ \(rebuild, since.*Wait/)
  release(other)
})

it('believes no note that is incomplete or of a process that has ended', () => {
  for (const note of ['', '{', '{}', '{"process":2147483647,"command":"rebuild","since":"x"}']) {
    writeFileSync(path('lock.holder.json'), note)
    expect(readHolder(path('lock'))).toBeNull()
  }
  expect(formatHolder(null)).toMatch(/Another run/)
})
