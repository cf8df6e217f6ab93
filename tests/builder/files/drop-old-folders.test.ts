import { mkdirSync, readdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { dropOldFolders } from '../../../src/builder/files/drop-old-folders.ts'
import { mountSmallDisk } from '../../support/rebuild/faults/small-disk.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

/** Makes folders in order of age, the oldest first. */
function makeStore(...names: readonly string[]): void {
  names.forEach((name, index) => {
    mkdirSync(path('store', name), { recursive: true })
    utimesSync(path('store', name), 1000 + index, 1000 + index)
  })
}

const drop = () => dropOldFolders(path('store'), { present: 'a', kept: 2 })
const list = (name: string) => readdirSync(path(name)).sort()

it('dropping old folders keeps the present folder and the newest others, and follows no link among them', () => {
  makeStore('a', 'b', 'c', 'd')
  mkdirSync(path('outside'))
  writeFileSync(path('outside/mine'), 'mine')
  symlinkSync(path('outside'), path('store/link'))
  drop()
  expect(list('store')).toEqual(['a', 'd', 'link'])
  expect(list('outside')).toEqual(['mine'])
})

it('dropping old folders removes nothing from a store that is a link to other folders', () => {
  makeStore('a', 'b', 'c', 'd')
  renameSync(path('store'), path('outside'))
  symlinkSync(path('outside'), path('store'))
  drop()
  expect(list('outside')).toEqual(['a', 'b', 'c', 'd'])
})

it('dropping old folders removes nothing from a store in which something is mounted', ({ skip }) => {
  makeStore('b', 'c', 'a')
  const disk = mountSmallDisk(path('store/b/disk'), '64k')
  if (disk === null) skip('this user may not mount')
  try {
    writeFileSync(path('store/b/disk/mine'), 'mine')
    drop()
    expect(list('store/b/disk')).toEqual(['mine'])
  } finally {
    disk?.remove()
  }
})
