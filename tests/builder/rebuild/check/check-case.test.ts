/** An output folder that ignores case: a page renamed in case only survives, under its new name. */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { foldCase } from '../../../../src/builder/rebuild/check/check-case.ts'
import type { Output } from '../../../../src/builder/state/output/output.ts'
import { createOutput } from '../../../../src/builder/state/output/output.ts'
import { isKilled } from '../../../model/rebuild/machine.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { mountFat } from '../../../support/rebuild/faults/small-disk.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import type { WorldSetup } from '../../../support/rebuild/world.ts'
import { runInWorld } from '../../../support/rebuild/world.ts'

const path = useTemporaryFolder()

/** As vfat does it: a file that is written over keeps its name. */
function ignoreCase(output: Output): Output {
  const find = (name: string): string => output.list().find((one) => foldCase(one) === foldCase(name)) ?? name
  return {
    ...output,
    read: (name) => output.read(find(name)),
    write: (name, bytes) => output.write(find(name), bytes),
    place: (files) => output.place(files.map((file) => ({ ...file, path: find(file.path) }))),
    remove: (names) => names.forEach((name) => output.remove([find(name)])),
    ignoresCase: () => true,
  }
}

const documentsOf = (seller: string) => [
  user(seller),
  product('one', seller),
  user('luz'),
  product('two', 'luz'),
]

interface Place {
  readonly folder: string
  readonly openOutput: () => Output
}

const open = ({ folder, openOutput }: Place) => ({
  run: (seller: string, setup: Partial<WorldSetup> = {}) =>
    runInWorld({
      folder: path(),
      documents: documentsOf(seller),
      ...setup,
      wrap: (world) => {
        const changed = { ...world, state: { ...world.state, output: openOutput() } }
        return setup.wrap?.(changed) ?? changed
      },
    }),
  list: () =>
    readdirSync(`${folder}/catalogo`)
      .filter((name) => name !== '404.html')
      .sort(),
})

const PLACES: Readonly<Record<string, () => (Place & { readonly remove?: () => void }) | null>> = {
  'a folder that is told to': () => ({
    folder: path('dist'),
    openOutput: () => ignoreCase(createOutput(path('dist'))),
  }),
  vfat: () => {
    const disk = mountFat(path('disk'))
    mkdirSync(path('disk/dist'), { recursive: true })
    return disk && { folder: path('disk/dist'), openOutput: () => createOutput(path('disk/dist')), ...disk }
  },
}

for (const [name, create] of Object.entries(PLACES)) {
  describe(`where ${name} ignores case`, () => {
    it('keeps a page whose seller is renamed in case only, also after a check or a crash', async ({
      skip,
    }) => {
      const place = create()
      if (place === null) return skip('this system cannot mount vfat')
      try {
        const { run, list } = open(place)
        await run('Ana1234')
        await run('ana1234')
        expect(list()).toEqual(['ana1234.html', 'luz.html'])
        await run('ANA1234', { options: { isVerify: true } })
        expect(list()).toEqual(['ANA1234.html', 'luz.html'])
        let n = 1
        for (let isDead = true; isDead; n += 3)
          for (const seller of ['ana1234', 'ANA1234']) {
            isDead = await isKilled(path(), n, () => run(seller))
            await run(seller)
            expect(list(), `step ${n}`).toEqual([`${seller}.html`, 'luz.html'])
          }
        expect(n).toBeGreaterThan(20)
      } finally {
        place.remove?.()
      }
    })

    it('keeps a page whose file was renamed by hand, and one whose record was lost', async ({ skip }) => {
      const place = create()
      if (place === null) return skip('this system cannot mount vfat')
      try {
        const { run, list } = open(place)
        await run('ana')
        renameSync(`${place.folder}/catalogo/ana.html`, `${place.folder}/catalogo/other`)
        renameSync(`${place.folder}/catalogo/other`, `${place.folder}/catalogo/ANA.html`)
        await run('ana', { options: { isVerify: true } })
        expect(list()).toEqual(['ana.html', 'luz.html'])
        rmSync(path('state'), { recursive: true })
        await run('Ana')
        expect(list()).toEqual(['Ana.html', 'luz.html'])
      } finally {
        place.remove?.()
      }
    })
  })
}
