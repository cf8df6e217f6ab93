import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findMountsBelow } from '../../../src/builder/state/mounts.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const formatLine = (point: string): string =>
  `36 35 98:0 /mnt1 ${point.replaceAll(' ', '\\040')} rw,noatime master:1 - ext3 /dev/root rw`

it('finds what is mounted below a folder, by the names that the system lists', () => {
  mkdirSync(path('dist'))
  symlinkSync(path('dist'), path('link'))
  const root = realpathSync(path('dist'))
  const list = ['/', root, `${root}/a b`, `${root}-other/c`, `${root}/d/e`].map(formatLine).join('\n')
  for (const name of ['dist', 'link'])
    expect(findMountsBelow(path(name), list)).toEqual([`${root}/a b`, `${root}/d/e`])
})

it('finds nothing where there is no such folder, or no list', () => {
  expect(findMountsBelow(path('nothing'), formatLine(path('nothing/a')))).toEqual([])
  expect(findMountsBelow(path(), '')).toEqual([])
})
