import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { acquireLock } from '../../../src/builder/state/locks.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
/** A user without any rights. */
const NOBODY = 65_534

const MODULE = new URL('../../../src/builder/state/locks.ts', import.meta.url).href

/** Ends processes that a test left running. */
const holders: (() => Promise<void>)[] = []
afterEach(() => Promise.all(holders.splice(0).map((kill) => kill())))

/** Another process that holds the lock until it is killed. */
async function startHolder(file: string): Promise<{ kill(): Promise<void> }> {
  const code = `
    import { acquireLock } from ${JSON.stringify(MODULE)}
    const lock = acquireLock(${JSON.stringify(file)})
    console.log(lock === null ? 'busy' : 'held')
    setInterval(() => lock, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  holders.push(kill)
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  expect(said.toString()).toBe('held\n')
  return { kill }
}

describe('a lock', () => {
  it('has one holder at a time, and is free after its release', () => {
    const first = acquireLock(path('lock.sqlite'))
    expect(first).not.toBeNull()
    expect(acquireLock(path('lock.sqlite'))).toBeNull()
    first?.release()
    const second = acquireLock(path('lock.sqlite'))
    expect(second).not.toBeNull()
    second?.release()
  })

  it('is reported as busy at once while another process holds it', async () => {
    await startHolder(path('lock.sqlite'))
    const times = Array.from({ length: 201 }, () => {
      const start = performance.now()
      expect(acquireLock(path('lock.sqlite'))).toBeNull()
      return performance.now() - start
    })
    // A busy machine may hold up some of them for seconds, but none of them waits.
    expect(times.toSorted((a, b) => a - b)[100]).toBeLessThan(50)
  })

  it('is free after its holder was killed', async () => {
    const holder = await startHolder(path('lock.sqlite'))
    expect(acquireLock(path('lock.sqlite'))).toBeNull()
    await holder.kill()
    const lock = acquireLock(path('lock.sqlite'))
    expect(lock).not.toBeNull()
    lock?.release()
  })

  it('has one holder of two processes that try at the same moment, always', async () => {
    const rounds = 100
    // Before each try, both look for the file of the other without a pause.
    const code = `
      import { existsSync, writeFileSync } from 'node:fs'
      import { acquireLock } from ${JSON.stringify(MODULE)}
      const [me, other] = process.argv.slice(1)
      const locks = []
      for (let round = 0; round < ${rounds}; round += 1) {
        writeFileSync(me + round, '')
        while (!existsSync(other + round));
        locks.push(acquireLock(${JSON.stringify(path('lock-'))} + round))
      }
      console.log(JSON.stringify(locks.map((lock) => lock !== null)))
      setInterval(() => locks, 1000)`
    const names = [path('one-'), path('two-')]
    const results = await Promise.all(
      [names, names.toReversed()].map(async (both) => {
        const child = spawn(process.execPath, ['--input-type=module', '--eval', code, ...both], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        holders.push(async () => {
          child.kill('SIGKILL')
          await once(child, 'exit')
        })
        const [said] = (await once(child.stdout, 'data')) as [Buffer]
        return JSON.parse(said.toString()) as readonly boolean[]
      }),
    )
    const winners = results[0]?.map((isFirst, round) => [isFirst, results[1]?.[round]])
    expect(winners?.filter(([one, other]) => one === other)).toEqual([])
  })

  it('is awaited for at most the given time', async () => {
    const first = acquireLock(path('lock.sqlite'))
    const start = performance.now()
    expect(acquireLock(path('lock.sqlite'), { wait: 300 })).toBeNull()
    expect(performance.now() - start).toBeGreaterThan(250)
    first?.release()
  })

  it('does not block the lock of another file, and creates its folder', () => {
    const locks = [acquireLock(path('a', 'b', 'lock.sqlite')), acquireLock(path('a', 'lock.sqlite'))]
    expect(locks).not.toContain(null)
    for (const lock of locks) lock?.release()
  })

  it('fails with the reason if its file cannot be created', () => {
    expect(() => acquireLock(path())).toThrow(UsageError)
  })

  it('is refused by a file that may only be read', () => {
    acquireLock(path('lock.sqlite'))?.release()
    chmodSync(path('lock.sqlite'), 0o444)
    for (const folder of [path('.'), path('..')]) chmodSync(folder, 0o755)
    // The system lets its administrator write to any file.
    const isAdministrator = process.geteuid?.() === 0
    if (isAdministrator) process.seteuid?.(NOBODY)
    try {
      expect(() => acquireLock(path('lock.sqlite'))).toThrow(UsageError)
    } finally {
      if (isAdministrator) process.seteuid?.(0)
    }
  })

  it('is taken although its file holds garbage, unless another process holds it', () => {
    const garbage = 'no lock, but long enough to be taken for a database'.repeat(99)
    writeFileSync(path('lock.sqlite'), garbage)
    const lock = acquireLock(path('lock.sqlite'))
    expect(lock).not.toBeNull()
    expect(acquireLock(path('lock.sqlite'))).toBeNull()
    lock?.release()
  })

  it('stays with its holder when garbage is written into its file meanwhile', async () => {
    await startHolder(path('lock.sqlite'))
    writeFileSync(path('lock.sqlite'), 'garbage, long enough to be taken for a database'.repeat(99))
    expect(acquireLock(path('lock.sqlite'))).toBeNull()
    expect(acquireLock(path('lock.sqlite'))).toBeNull()
  })
})
