/** Steps of a rebuild: what it compiles, loads and refuses. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { World } from '../../../src/builder/rebuild/world.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { createMachine } from '../../model/rebuild/machine.ts'
import { createSellers, product, user } from '../../support/rebuild/documents.ts'
import { readFiles, readFileStamps } from '../../support/run/files.ts'
import { useTemporaryFolder, writeTree } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const DOCUMENTS = createSellers(3)
const MORE = [...DOCUMENTS, product('more', 's1')]
const run = (setup: Partial<WorldSetup> = {}) =>
  runInWorld({ folder: path(), documents: DOCUMENTS, ...setup })
const readSite = () => readFiles(path('dist'))

type Change = (world: World) => Partial<World>
const change =
  (part: Change) =>
  (world: World): World => ({ ...world, ...part(world) })
const fail = (text: string) => () => Promise.reject(new Error(text))
const withRenderers = (renderers: Partial<World['renderers']>) =>
  change((world) => ({ renderers: { ...world.renderers, ...renderers } }))

describe('a run', () => {
  it('without a change loads no renderer, and compiles nothing, also if the renderer is lost', async () => {
    await run()
    const before = readFileStamps(path('dist'))
    const wrap = withRenderers({ find: () => null, load: fail('loaded'), compile: fail('compiled') })
    expect(await run({ wrap })).toMatchObject({ isIdle: true, isCompiled: false })
    expect(readFileStamps(path('dist'))).toEqual(before)
  })

  it('that cannot load the renderer changes no page, and the next one writes them', async () => {
    await run()
    const { 'estado.json': _, ...before } = readSite()
    await expect(
      run({ documents: MORE, wrap: withRenderers({ load: fail('no renderer') }) }),
    ).rejects.toThrow('no renderer')
    const { 'estado.json': marker, ...after } = readSite()
    expect([after, marker?.includes('"open"')]).toEqual([before, true])
    expect(await run({ documents: MORE })).toMatchObject({ everything: 'the last run did not end' })
  })

  it('that is cut off leaves an open marker, also after a power cut', async () => {
    await run()
    const machine = createMachine(path())
    const wrap = withRenderers({ load: fail('no renderer') })
    await expect(machine.run(null, () => run({ documents: MORE, wrap }))).rejects.toThrow('no renderer')
    machine.cutPower('everything')
    expect(readSite()['estado.json']).toContain('"open"')
  })

  it('whose code does not compile changes nothing, and the next one reads again', async () => {
    await run()
    const before = readSite()
    const wrap = withRenderers({ find: () => null, compile: fail('no compile') })
    await expect(run({ documents: MORE, code: 'two', wrap })).rejects.toThrow('no compile')
    expect(readSite()).toEqual(before)
    expect(await run({ documents: MORE })).toMatchObject({ everything: null, written: { pages: 1 } })
  })

  it('whose inputs changed while it compiled is made of the later ones', async () => {
    const wrap = change((world) => {
      let inputs = world.readInputs()
      const compile: World['renderers']['compile'] = (code) => {
        const site = { ...inputs.site, name: 'Otra' }
        inputs = {
          ...inputs,
          site,
          basis: { ...inputs.basis, settings: { ...inputs.basis.settings, ...site } },
        }
        return world.renderers.compile(code)
      }
      return { readInputs: () => inputs, renderers: { ...world.renderers, find: () => null, compile } }
    })
    await run({ wrap })
    expect(await run({ siteName: 'Otra' })).toMatchObject({ everything: null })
  })

  it('names the first thing that makes everything due', async () => {
    await run()
    const reasons = [
      await run({ siteName: 'Otra' }),
      await run({ siteName: 'Otra', options: { isFull: true } }),
    ].map(({ everything }) => everything)
    expect(reasons).toEqual([expect.stringContaining('setting name'), 'a full read was requested'])
  })

  it('refuses two sellers whose files would be the same on the disk', async () => {
    await run()
    const wrap = change(({ output }) => ({
      output: { ...output, has: (file) => output.has(file.toLowerCase()) },
    }))
    await expect(run({ documents: [...MORE, user('S1')], wrap })).rejects.toThrow(UsageError)
    await run({ documents: [...MORE, user('S1')] })
  })
})

describe('an output folder', () => {
  it('with files and without a marker is refused, and stays as it is', async () => {
    mkdirSync(path('dist'))
    writeFileSync(path('dist/mine.txt'), 'mine')
    await expect(run()).rejects.toThrow(/not of this site, such as mine\.txt/)
    expect(readSite()).toEqual({ 'mine.txt': 'mine' })
  })

  it.each(['', 'torn', '{"run":"x","state":"closed"}'])('whose marker is %j is built anew', async (text) => {
    await run()
    writeFileSync(path('dist/estado.json'), text)
    expect(await run()).toMatchObject({ everything: 'the marker of the output folder is damaged' })
  })

  it('that was copied while a run worked is built anew, also if that run ended later', async () => {
    await run()
    const copy = readFileSync(path('dist/estado.json'), 'utf8').replace('"closed"', '"open"')
    writeTree(path('dist'), { 'estado.json': copy, 'catalogo/s1.html': 'old' })
    await run()
    expect(readSite()).not.toMatchObject({ 'catalogo/s1.html': 'old' })
  })

  it('of an earlier version is built anew', async () => {
    writeTree(path('dist'), { '.vitrina': 'one', 'old.html': 'old' })
    expect(await run()).toMatchObject({ everything: 'an earlier version made the site' })
    expect(readSite()).not.toHaveProperty(['old.html'])
  })

  it('loses files that are not of the site when everything is looked at, and only then', async () => {
    await run()
    const strays = [
      'old.html',
      'catalogo/old.html',
      'catalogo/s1/old/deep.html',
      '_astro/old.js',
      'fotos/old.avif',
    ]
    writeTree(path('dist'), Object.fromEntries(strays.map((file) => [file, 'old'])))
    await run({ documents: DOCUMENTS.map((one) => (one.id === 's0' ? user('s0', 'Otra') : one)) })
    expect(Object.keys(readSite())).toEqual(expect.arrayContaining(strays))
    await run({ options: { isFull: true } })
    await run({ folder: path('clean') })
    expect(Object.keys(readSite())).toEqual(Object.keys(readFiles(path('clean/dist'))))
  })

  it('keeps hashed files of stored renderers', async () => {
    const wrap = withRenderers({ listKeptAssets: () => new Set(['_astro/app.one.js']) })
    await run()
    await run({ code: 'two', wrap })
    expect(readSite()).toHaveProperty(['_astro/app.one.js'])
    await run({ code: 'two', options: { isFull: true } })
    expect(readSite()).not.toHaveProperty(['_astro/app.one.js'])
  })
})
