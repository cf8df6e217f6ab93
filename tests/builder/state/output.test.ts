/** The output folder: what is written, what is removed, and what is forced to the disk. */
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import type { Output } from '../../../src/builder/state/output.ts'
import { createComparison, createOutput, listFilesBelow, PARTIAL } from '../../../src/builder/state/output.ts'
import { readFileStamps } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const forced: string[] = []
const create = (): Output => createOutput(path('dist'), { force: (folder) => void forced.push(folder) })
const readText = (name: string): string | null => create().read(name)?.toString() ?? null

const OUTPUT = new URL('../../../src/builder/state/output.ts', import.meta.url).href
/** Each thread writes the next file when the other is ready to write its own. */
const WRITES_AT_ONCE = `
const { module, folder, gate, thread, folders } = require('node:worker_threads').workerData
import(module).then(({ createOutput }) => {
  const output = createOutput(folder, { thread })
  for (let count = 0; count < folders; count += 1) {
    const ready = 2 * count + 2
    if (Atomics.add(gate, 0, 1) + 1 === ready) Atomics.notify(gate, 0)
    else Atomics.wait(gate, 0, ready - 1)
    output.write('f' + count + '/' + thread, '')
  }
})`

describe('a file of the output folder', () => {
  it('is read as it was written, text or bytes, in folders that are made for it', () => {
    const output = create()
    expect(output.write('catalogo/perfumería.html', 'ñ 😀')).toBe(true)
    output.write('a/b/c.bin', new Uint8Array([0, 255, 10]))
    expect(readText('catalogo/perfumería.html')).toBe('ñ 😀')
    expect([...(output.read('a/b/c.bin') ?? [])]).toEqual([0, 255, 10])
  })

  it('is written only if its bytes differ', () => {
    create().write('a/b.html', 'one')
    const before = readFileStamps(path('dist'))
    expect(create().write('a/b.html', 'one')).toBe(false)
    expect(readFileStamps(path('dist'))).toEqual(before)
    expect(create().write('a/b.html', 'two')).toBe(true)
    expect(readText('a/b.html')).toBe('two')
  })

  it('that is missing reads as nothing, also if a file or a folder is in its place', () => {
    create().write('a', 'x')
    mkdirSync(path('dist/folder'))
    expect(['nothing', 'a/b', 'folder'].map(readText)).toEqual([null, null, null])
    expect(['a', 'nothing', 'folder'].map((name) => create().has(name))).toEqual([true, false, false])
  })

  it('takes the place of a folder, and a folder that of a file', () => {
    create().write('a/b', 'in a folder')
    create().write('c', 'a file')
    create().write('a', 'now a file')
    create().write('c/d/e', 'now in folders')
    expect([readText('a'), readText('c/d/e')]).toEqual(['now a file', 'now in folders'])
  })

  it.runIf(existsSync('/dev/full'))(
    'is named when the disk is full, which the error of the system does not',
    () => {
      mkdirSync(path('dist/.partial'), { recursive: true })
      symlinkSync('/dev/full', path(`dist/.partial/${process.pid}-0-1`))
      expect(() => create().write('index.html', 'page')).toThrow(`write '${path('dist')}`)
    },
  )

  it('shares a new folder with a file that another thread writes at the same instant', async () => {
    const gate = new Int32Array(new SharedArrayBuffer(4))
    const threads = [1, 2].map((thread) => {
      const workerData = { module: OUTPUT, folder: path('dist'), gate, thread, folders: 500 }
      return once(new Worker(WRITES_AT_ONCE, { eval: true, workerData }), 'exit')
    })
    expect(await Promise.all(threads)).toEqual([[0], [0]])
    expect(readdirSync(path('dist/f499'))).toEqual(['1', '2'])
  })

  it('takes the place of a link, and leaves alone what that leads to', () => {
    mkdirSync(path('dist'))
    writeFileSync(path('mine'), 'mine')
    symlinkSync(path('mine'), path('dist/index.html'))
    create().write('index.html', 'page')
    expect([readText('index.html'), readFileSync(path('mine'), 'utf8')]).toEqual(['page', 'mine'])
  })
})

describe('what is removed from the output folder', () => {
  it('takes along the folders that it leaves empty', () => {
    const output = create()
    for (const name of ['index.html', 'a/b/one', 'a/b/two', 'a/three']) output.write(name, '')
    expect([output.remove('a/b/one'), output.remove('a/b/one')]).toEqual([1, 0])
    expect(readdirSync(path('dist/a/b'))).toEqual(['two'])
    for (const name of ['a/three', 'a/b/two']) output.remove(name)
    expect(existsSync(path('dist/a'))).toBe(false)
    output.remove('index.html')
    expect(existsSync(path('dist'))).toBe(true)
  })

  it('may be a folder with all that is in it, but not what a link leads to', () => {
    const output = create()
    output.write('a/b/one', '')
    mkdirSync(path('outside'))
    writeFileSync(path('outside/mine'), 'mine')
    for (const name of ['link', 'a/b/link']) symlinkSync(path('outside'), path('dist', name))
    symlinkSync(path('nowhere'), path('dist/lost'))
    expect(['a', 'link', 'lost'].map((name) => output.remove(name))).toEqual([2, 1, 1])
    expect([
      readdirSync(path('dist')).filter((name) => name !== PARTIAL),
      readdirSync(path('outside')),
    ]).toEqual([[], ['mine']])
  })
})

it('Files are listed below a folder, but for those of writes that were cut off, which are tidied away', () => {
  expect(listFilesBelow(create(), '')).toEqual([])
  mkdirSync(path('dist', PARTIAL), { recursive: true })
  writeFileSync(path('dist', PARTIAL, '7'), 'half a pa')
  create().write('a/b.html', 'x')
  expect(listFilesBelow(create(), '')).toEqual(['a/b.html'])
  create().tidy()
  expect(readdirSync(path('dist'))).toEqual(['a'])
})

it('What many files or threads wrote is forced at once', () => {
  const output = create()
  output.write('one', '')
  output.settle(false)
  expect(forced).toEqual([])
  output.settle(true)
  for (let count = 0; count < 100; count += 1) output.write(`many/${count}`, '')
  output.settle(false)
  expect(forced).toEqual([path('dist'), path('dist')])
})

it('A comparison changes nothing, and names the files that differ', () => {
  for (const name of ['same', 'other', 'gone/a', 'gone/b']) create().write(name, 'x')
  const before = readFileStamps(path('dist'))
  const comparison = createComparison(create())
  comparison.write('same', 'x')
  comparison.write('other', 'y')
  comparison.write('new', 'y')
  comparison.remove('gone')
  comparison.remove('nothing')
  comparison.writeForced('marker', 'y')
  expect(Object.fromEntries(comparison.differing)).toEqual({
    other: 'written',
    new: 'written',
    'gone/a': 'removed',
    'gone/b': 'removed',
  })
  expect(readFileStamps(path('dist'))).toEqual(before)
})
