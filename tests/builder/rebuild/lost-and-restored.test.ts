/** Parts of state and output that are lost or edited; pages that throw meanwhile. */
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync, renameSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Page } from '../../../src/domain/pages/page.ts'
import { findExitCode } from '../../../src/builder/commands/exit-codes.ts'
import { createSellers, product } from '../../support/rebuild/documents.ts'
import { readFiles } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()
const documentsOf = (count: number, price = 1) => createSellers(count, { overrides: { price } })
const V1 = documentsOf(3, 1)
const run = (setup: Partial<WorldSetup> = {}) => runInWorld({ folder: path(), documents: V1, ...setup })
const dist = () => readFiles(path('dist'))

describe('the old site stays', () => {
  const MANY = documentsOf(40)
  for (const lost of ['state', 'state/snapshot.sqlite']) {
    it(`when ${lost} is lost and the source shrinks`, async () => {
      await run({ documents: MANY })
      const before = dist()
      rmSync(path(lost), { recursive: true })
      await run({ documents: documentsOf(3) }).then(
        () => expect.fail('was not refused'),
        (error: Error) => expect(findExitCode(error)).toBe(4),
      )
      expect(dist()).toEqual(before)
    })
  }

  it('when the state is lost and the renderer cannot be loaded', async () => {
    await run()
    const before = dist()
    rmSync(path('state'), { recursive: true })
    const load = () => Promise.reject(new Error('no renderer'))
    const broken = run({ wrap: (world) => ({ ...world, renderers: { ...world.renderers, load } }) })
    await expect(broken).rejects.toThrow('no renderer')
    expect(dist()).toMatchObject(before)
  })
})

describe('a page that throws', () => {
  it('shows no missing photo of the public folder', async () => {
    const render = (page: Page): string =>
      page.kind === 'catalogue'
        ? page.catalogue.products.map(({ photo }) => (photo === null ? '' : `<img src="${photo}">`)).join('')
        : ''
    for (const photo of ['/nope.jpg', '/%', '/%ff']) {
      const documents = [...V1, product('bad', 's0', { photo })]
      await expect(run({ documents, render, options: { isVerify: true } })).resolves.toMatchObject({
        failures: [],
      })
    }
  })
})

describe('edited state and output', () => {
  it('swapped state files are replaced by new ones', async () => {
    await run()
    renameSync(path('state/snapshot.sqlite'), path('x'))
    renameSync(path('state/record.sqlite'), path('state/snapshot.sqlite'))
    renameSync(path('x'), path('state/record.sqlite'))
    await expect(run()).resolves.toMatchObject({ failures: [] })
  })

  it('a folder in place of a page is replaced', async () => {
    await run()
    const before = dist()
    rmSync(path('dist/catalogo/s1.html'))
    mkdirSync(path('dist/catalogo/s1.html'))
    await run({ options: { isVerify: true } })
    expect(dist()).toEqual(before)
  })

  it('a link in place of the folder of catalogues loses no page', async () => {
    await run()
    const before = readFiles(path('dist'))
    renameSync(path('dist/catalogo'), path('elsewhere'))
    symlinkSync(path('elsewhere'), path('dist/catalogo'))
    await run({ options: { isVerify: true } })
    await run()
    expect(existsSync(path('dist/catalogo')) ? readdirSync(path('dist/catalogo')).length : 0).toBe(4)
    expect(Object.keys(before)).toContain('catalogo/s1.html')
  })

  it('an edited retained file is removed by the next check', async () => {
    for (const code of ['one', 'two']) await run({ code })
    writeFileSync(path('dist/_astro/app.one.js'), 'edited')
    await run({ code: 'two', options: { isVerify: true } })
    expect(dist()).not.toHaveProperty(['_astro/app.one.js'])
  })

  it('a copy without dot files is accepted', async () => {
    await run()
    const before = dist()
    for (const name of ['.vitrina', '.assetsignore']) rmSync(path('dist', name))
    await run()
    expect(dist()).toEqual(before)
  })
})
