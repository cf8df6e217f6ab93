/** Links in the output folder, before and during a run: nothing outside is changed, and the site becomes whole. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Output } from '../../../src/builder/state/output/output.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { readFiles } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()
const DOCUMENTS = ['ana', 'luz', 'eva'].flatMap((id) => [user(id), product(`p-${id}`, id)])
const run = (setup: Partial<WorldSetup> = {}) =>
  runInWorld({ folder: path(), documents: DOCUMENTS, ...setup })
const dist = () => readFiles(path('dist'))

/** Puts a link to an outside folder in the place of a folder, and returns what that folder holds. */
function link(name: string): Readonly<Record<string, string>> {
  mkdirSync(path('outside'), { recursive: true })
  for (const file of ['ana.html', 'mine.txt']) writeFileSync(path('outside', file), 'mine')
  rmSync(path('dist', name), { recursive: true, force: true })
  symlinkSync(path('outside'), path('dist', name))
  return readFiles(path('outside'))
}

for (const isVerify of [true, false]) {
  it(`a ${isVerify ? 'check' : 'plain run'} replaces a linked folder with its pages, and leaves what it led to`, async () => {
    await run()
    const before = dist()
    const outside = link('catalogo')
    link('unlisted')
    await run({ options: { isVerify } })
    expect(dist()).toEqual(before)
    expect(readFiles(path('outside'))).toEqual(outside)
  })
}

it('a check that finds a folder swapped for a link after it was listed removes nothing outside', async () => {
  await run()
  mkdirSync(path('dist/extra'))
  for (const file of ['ana.html', 'mine.txt']) writeFileSync(path('dist/extra', file), 'unlisted')
  let outside = {}
  const swap = (output: Output): Output => ({
    ...output,
    list: () => {
      const found = output.list()
      renameSync(path('dist/extra'), path('moved'))
      outside = link('extra')
      return found
    },
  })
  const wrap: WorldSetup['wrap'] = (world) => ({
    ...world,
    state: { ...world.state, output: swap(world.state.output) },
  })
  await run({ options: { isVerify: true }, wrap })
  expect(readFiles(path('outside'))).toEqual(outside)
})

it('a run that meets a folder swapped for a link refuses to write there, and the next one repairs the site', async () => {
  await run()
  let outside = {}
  const render = (): string => {
    outside = link('catalogo')
    return 'changed'
  }
  await expect(run({ code: 'two', render })).rejects.toThrow(/where the output needs a folder/)
  expect(readFiles(path('outside'))).toEqual(outside)
  await run()
  const after = dist()
  expect(Object.keys(after)).toContain('catalogo/eva.html')
  rmSync(path('state'), { recursive: true })
  rmSync(path('dist'), { recursive: true })
  await run()
  const { '_astro/app.two.js': _, ...rest } = after
  expect(dist()).toEqual(rest)
})
