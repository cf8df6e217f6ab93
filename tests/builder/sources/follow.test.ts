import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { followSource } from '../../../src/builder/sources/source-kinds.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { edit, makeEmbedded, setPrice } from './reading.ts'

const path = useTemporaryFolder()
let end = new AbortController()
afterEach(() => end.abort())

/** `next` resolves once a change was reported since the last call. */
async function follow(name: string) {
  end = new AbortController()
  const onChange = vi.fn<() => void>()
  const onTrouble = vi.fn<(message: string) => void>()
  await followSource(path(name), { onChange, onTrouble, signal: end.signal })
  const next = async (): Promise<void> => {
    await expect.poll(() => onChange, { interval: 5 }).toHaveBeenCalled()
    onChange.mockClear()
  }
  return { next, onChange, onTrouble }
}

const write = (folder: string, name: string): void => void writeFolder(path(folder), [user('ana', name)])

describe('following a source', () => {
  it.each(['DELETE', 'WAL'])('reports each write to a database in journal mode %s', async (mode) => {
    const file = await makeEmbedded(path('data.sqlite'), [product('p1', 'ana')])
    edit(file, `PRAGMA journal_mode = ${mode}`)
    // While another program has it open, SQLite leaves what is written in the log.
    const other = new DatabaseSync(file)
    onTestFinished(() => other.close())
    other.prepare('SELECT 1 FROM documents').all()
    const { next, onTrouble } = await follow('data.sqlite')
    for (const price of [1, 2, 3, 4]) {
      setPrice(file, 'p1', price)
      await next()
    }
    expect(onTrouble).not.toHaveBeenCalled()
  })

  it('reports a database that takes the place of another, and one that comes back', async () => {
    await makeEmbedded(path('data.sqlite'))
    await makeEmbedded(path('other.sqlite'))
    const { next, onTrouble } = await follow('data.sqlite')
    renameSync(path('other.sqlite'), path('data.sqlite'))
    await next()
    renameSync(path('data.sqlite'), path('away.sqlite'))
    await expect.poll(() => onTrouble).toHaveBeenCalledTimes(1)
    renameSync(path('away.sqlite'), path('data.sqlite'))
    await next()
    expect(onTrouble).toHaveBeenCalledTimes(1)
  })

  it('reports the changes of a folder, also of one that takes its place', async () => {
    write('one', 'Ana')
    write('two', 'Otra')
    symlinkSync(path('one'), path('data'))
    const { next, onTrouble } = await follow('data')
    write('one', 'Tercera')
    await next()
    symlinkSync(path('two'), path('next'))
    renameSync(path('next'), path('data'))
    await next()
    write('two', 'Cuarta')
    await next()
    expect(onTrouble).not.toHaveBeenCalled()
  })

  it('says once that a folder is missing, and reports when it is back', async () => {
    write('data', 'Ana')
    const { next, onChange, onTrouble } = await follow('data')
    rmSync(path('data'), { recursive: true })
    await expect.poll(() => onTrouble).toHaveBeenCalledTimes(1)
    expect(onChange).not.toHaveBeenCalled()
    write('data', 'Otra')
    await next()
    expect(onTrouble).toHaveBeenCalledTimes(1)
  })

  it('is not possible for Firestore, whose webhook reports changes', async () => {
    const watcher = { onChange: () => {}, onTrouble: () => {}, signal: end.signal }
    const following = followSource('firestore', watcher)
    await expect(following).rejects.toThrow(SourceError)
    await expect(following).rejects.toThrow(/webhook/)
  })
})
