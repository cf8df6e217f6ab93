import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { acquireLock } from '../../../../src/builder/state/sqlite/lock.ts'
import { useTemporaryFolder } from '../../../support/temporary.ts'

const path = useTemporaryFolder()
const MODULE = new URL('../../../../src/builder/state/sqlite/lock.ts', import.meta.url).href

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
    const start = performance.now()
    expect(acquireLock(path('lock.sqlite'))).toBeNull()
    expect(performance.now() - start).toBeLessThan(500)
  })

  it('is free after its holder was killed', async () => {
    const holder = await startHolder(path('lock.sqlite'))
    expect(acquireLock(path('lock.sqlite'))).toBeNull()
    await holder.kill()
    const lock = acquireLock(path('lock.sqlite'))
    expect(lock).not.toBeNull()
    lock?.release()
  })

  it('is awaited for at most the given time', async () => {
    const first = acquireLock(path('lock.sqlite'))
    const start = performance.now()
    expect(acquireLock(path('lock.sqlite'), 300)).toBeNull()
    expect(performance.now() - start).toBeGreaterThan(250)
    first?.release()
  })

  it('does not block the lock of another file, and creates its folder', () => {
    const locks = [acquireLock(path('a', 'b', 'lock.sqlite')), acquireLock(path('a', 'lock.sqlite'))]
    expect(locks).not.toContain(null)
    for (const lock of locks) lock?.release()
  })

  it('fails with the reason if its file cannot be created or is another file', () => {
    expect(() => acquireLock(path())).toThrow(/unable to open/)
    writeFileSync(path('lock.sqlite'), 'no lock, but long enough to be taken for a database'.repeat(99))
    expect(() => acquireLock(path('lock.sqlite'))).toThrow(/not a database/)
  })
})
