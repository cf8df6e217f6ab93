/** Steps of a rebuild: what it compiles, loads and refuses. */
import { readFileSync, writeFileSync } from 'node:fs'
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

  it('that is cut off leaves an open marker, also after a power cut', async () => {
    await run()
    const machine = createMachine(path())
    const wrap = withRenderers({ load: fail('no renderer') })
    await expect(machine.run(null, () => run({ documents: MORE, wrap }))).rejects.toThrow('no renderer')
    machine.cutPower('everything')
    expect(readSite()['estado.json']).toContain('"open"')
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
})
