import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createOutput, PARTIAL } from '../../../../src/builder/state/output/output.ts'
import { mountSmallDisk } from '../../../support/rebuild/faults/small-disk.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
const create = () => createOutput(path('dist'))

function readText(name: string): string | null {
  const bytes = create().read(name)
  return bytes === null ? null : new TextDecoder().decode(bytes)
}

describe('a file of the output folder', () => {
  it('is read as it was written, text or bytes, in folders that are made for it', () => {
    const output = create()
    output.write('catalogo/perfumería.html', 'ñ 😀')
    output.write('a/b/c.bin', new Uint8Array([0, 255, 10]))
    expect(readText('catalogo/perfumería.html')).toBe('ñ 😀')
    expect([...(output.read('a/b/c.bin') ?? [])]).toEqual([0, 255, 10])
  })

  it('that is missing reads as nothing, also if a file is in place of its folder', () => {
    expect(create().read('nothing')).toBeNull()
    create().write('a', 'x')
    expect(create().read('a/b')).toBeNull()
  })

  it('takes the place of a link, and leaves alone what that pointed to', () => {
    mkdirSync(path('dist'))
    writeFileSync(path('mine'), 'mine')
    symlinkSync(path('mine'), path('dist', 'index.html'))
    create().write('index.html', 'page')
    expect(readText('index.html')).toBe('page')
    expect(readFileSync(path('mine'), 'utf8')).toBe('mine')
  })

  it('is removed, and removing it again is no error', () => {
    const output = create()
    output.write('index.html', 'x')
    output.remove(['index.html'])
    output.remove(['index.html'])
    output.remove(['never/there.html'])
    expect(output.list()).toEqual([])
  })

  it('waits in the folder of partial files until it is placed, whole', () => {
    const output = create()
    mkdirSync(path('dist', PARTIAL), { recursive: true })
    writeFileSync(path('dist', PARTIAL, 'worker-1'), 'page')
    expect(output.list()).toEqual([])
    output.place([{ name: 'worker-1', path: 'catalogo/ana.html' }])
    expect(output.list()).toEqual(['catalogo/ana.html'])
    expect(readText('catalogo/ana.html')).toBe('page')
    expect(readdirSync(path('dist', PARTIAL))).toEqual([])
  })
})

describe('a folder of the output folder', () => {
  it('goes with the last of its files, also if that was removed before', () => {
    const output = create()
    for (const name of ['index.html', 'a/b/one', 'a/b/two', 'a/three']) output.write(name, '')
    output.remove(['a/b/one', 'a/three'])
    expect(readdirSync(path('dist/a/b'))).toEqual(['two'])
    rmSync(path('dist/a/b/two'))
    output.remove(['a/b/two'])
    expect(existsSync(path('dist/a'))).toBe(false)
    output.remove(['index.html'])
    expect(existsSync(path('dist'))).toBe(true)
  })

  it('stays with anything in it, and where a link leads to it', () => {
    const output = create()
    output.write('a/one', '')
    mkdirSync(path('dist/a/mine'))
    mkdirSync(path('outside/b'), { recursive: true })
    symlinkSync(path('outside'), path('dist/link'))
    output.remove(['a/one', 'link/b/one', 'link/one'])
    expect(existsSync(path('dist/a/mine'))).toBe(true)
    expect(existsSync(path('outside/b'))).toBe(true)
  })
})

describe('the list of files', () => {
  it('names each with its path, hidden ones too, and no folder', () => {
    const output = create()
    const names = ['.vitrina', '404.html', 'catalogo/a b.html', 'catalogo/ñ.html', 'a/b/c.txt', '_astro/x.js']
    for (const name of names) output.write(name, '')
    mkdirSync(path('dist', 'empty'))
    expect([...output.list()].sort()).toEqual(names.sort())
  })

  it('is empty where there is no folder, and makes none', () => {
    expect(create().list()).toEqual([])
    expect(existsSync(path('dist'))).toBe(false)
  })

  it('leaves out what an interrupted write left, until that is tidied away', () => {
    mkdirSync(path('dist', PARTIAL), { recursive: true })
    writeFileSync(path('dist', PARTIAL, '7'), 'half a pa')
    const output = create()
    expect(output.list()).toEqual([])
    output.tidy()
    output.tidy()
    expect(existsSync(path('dist', PARTIAL))).toBe(false)
  })

  it('follows a link to the folder itself', () => {
    mkdirSync(path('real'))
    symlinkSync(path('real'), path('dist'))
    create().write('catalogo/ana.html', 'x')
    expect(create().list()).toEqual(['catalogo/ana.html'])
    expect(existsSync(path('real', 'catalogo', 'ana.html'))).toBe(true)
  })
})

describe('what is outside of the output folder', () => {
  const outside = (): string => {
    mkdirSync(path('outside/deep'), { recursive: true })
    writeFileSync(path('outside/mine'), 'mine')
    writeFileSync(path('outside/deep/mine'), 'mine')
    return path('outside')
  }
  const isUntouched = (): boolean =>
    ['mine', 'deep/mine'].every((name) => readFileSync(path('outside', name), 'utf8') === 'mine') &&
    readdirSync(path('outside')).length === 2

  it('is not listed or read through a link, which is listed itself', () => {
    const output = create()
    output.write('a/b.html', '')
    symlinkSync(outside(), path('dist/a/link'))
    symlinkSync(path('outside/mine'), path('dist/file'))
    expect([...output.list()].sort()).toEqual(['a/b.html', 'a/link', 'file'])
    expect(['file', 'a/link', 'a/link/mine', 'a/link/deep/mine'].map(readText)).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  it('is not written to through a link in the place of a folder', () => {
    const output = create()
    output.write('a/b.html', 'old')
    rmSync(path('dist/a'), { recursive: true })
    symlinkSync(outside(), path('dist/a'))
    for (const name of ['a/b.html', 'a/deep/b.html', 'a/mine'])
      expect(() => output.write(name, 'new')).toThrow(/needs a folder.*--verify/)
    expect(isUntouched()).toBe(true)
  })

  it('is not removed with a link, nor through one', () => {
    const output = create()
    output.write('index.html', '')
    symlinkSync(outside(), path('dist/a'))
    for (const name of ['a/mine', 'a/deep', 'a/deep/mine', 'a']) output.remove([name])
    expect(output.list()).toEqual(['index.html'])
    expect(isUntouched()).toBe(true)
  })

  it('is not removed with a folder that holds links and is in the place of a file', () => {
    const output = create()
    for (const act of [() => output.write('page', 'page'), () => output.remove(['page'])]) {
      mkdirSync(path('dist/page/deep'), { recursive: true })
      symlinkSync(outside(), path('dist/page/deep/link'))
      act()
      rmSync(path('dist/page'), { force: true })
    }
    output.tidy()
    expect(readdirSync(path('dist'))).toEqual([])
    expect(isUntouched()).toBe(true)
  })

  it('is not emptied when a link is in the place of the folder of partial files', () => {
    mkdirSync(path('dist'))
    symlinkSync(outside(), path('dist', PARTIAL))
    expect(() => create().write('index.html', '')).toThrow(/where the output needs a folder/)
    create().tidy()
    create().write('index.html', '')
    expect(isUntouched()).toBe(true)
  })

  it('is not waited for: a pipe in the place of a file reads as nothing, and is replaced', () => {
    mkdirSync(path('dist'))
    execFileSync('mkfifo', [path('dist/index.html')])
    expect(readText('index.html')).toBeNull()
    create().write('index.html', 'page')
    expect(readText('index.html')).toBe('page')
  })

  it('makes the folder unsound by a link in it, but not by being what the folder leads to', () => {
    mkdirSync(path('real'))
    symlinkSync(path('real'), path('dist'))
    create().write('a/b.html', '')
    expect(create().isSound()).toBe(true)
    symlinkSync(outside(), path('dist/link'))
    expect(create().isSound()).toBe(false)
  })

  it('is refused when it is mounted inside, before anything is removed', ({ skip }) => {
    create().write('a/b.html', '')
    const disk = mountSmallDisk(path('dist/a/disk'), '64k')
    if (disk === null) skip('this user may not mount')
    try {
      writeFileSync(path('dist/a/disk/mine'), 'mine')
      expect(() => create().isSound()).toThrow(/mount point.*--out/)
      expect(() => create().write('a/disk/page', '')).toThrow(/where the output needs a folder/)
      expect(() => create().write('a', 'page')).toThrow(/mount point/)
      expect(() => create().remove(['a'])).toThrow(/mount point/)
      create().remove(['a/disk/mine'])
      expect(readFileSync(path('dist/a/disk/mine'), 'utf8')).toBe('mine')
    } finally {
      disk?.remove()
    }
  })
})

describe('the output folder', () => {
  it('is written to again after it was tidied', () => {
    const output = create()
    output.write('a', '1')
    output.tidy()
    output.write('a', '2')
    expect(readText('a')).toBe('2')
  })

  it('detects whether its file system ignores case', () => {
    mkdirSync(path('dist'))
    writeFileSync(path('dist', 'lower'), '')
    expect(create().ignoresCase()).toBe(existsSync(path('dist', 'LOWER')))
  })
})
