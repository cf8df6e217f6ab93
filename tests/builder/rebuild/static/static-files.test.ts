/** Files of the public folder and those made from settings: robots.txt, the web manifest, the service worker. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SERVICE_WORKER } from '../../../../src/builder/rebuild/static/edge-headers.ts'
import { RETIRED } from '../../../../src/builder/rebuild/static/static-files.ts'
import { WEB_MANIFEST } from '../../../../src/builder/rebuild/static/static-files.ts'
import { hashBytes } from '../../../../src/builder/files/file-hashes.ts'
import { UsageError } from '../../../../src/builder/files/usage-error.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { hashTexts, runInWorld } from '../../../support/rebuild/world.ts'
import type { World } from '../../../../src/builder/rebuild/world.ts'

const path = useTemporaryFolder()

const PUBLIC = { [SERVICE_WORKER]: 'keeps', [WEB_MANIFEST]: '{ "name": "", "display": "minimal-ui" }' }

const PHOTO = 'fotos/uno.jpg'

interface Chosen {
  readonly keepsPages?: boolean
  readonly isSearched?: boolean
  readonly name?: string
  readonly publicFiles?: Readonly<Record<string, string>>
}

const run = ({ keepsPages = true, isSearched = true, name = 'Vitrina', publicFiles = PUBLIC }: Chosen = {}) =>
  runInWorld({
    folder: path(),
    documents: [user('ana'), product('uno', 'ana', { photo: `/${PHOTO}` }), user('eva')],
    siteName: name,
    siteUrl: 'https://vitrina.example',
    wrap: (world) => ({
      ...world,
      readInputs: () => {
        const inputs = world.readInputs()
        const files = { ...inputs.basis.files, ...hashTexts(publicFiles) }
        const settings = { ...inputs.basis.settings, keepsPages, isSearched }
        return {
          ...inputs,
          basis: { ...inputs.basis, files, settings },
          keepsPages,
          isSearched,
          publicFiles: hashTexts(publicFiles),
          readPublicFile: (file) => Buffer.from(publicFiles[file] ?? ''),
        }
      },
    }),
  })

const read = (file: string): string => readFileSync(path('dist', file), 'utf8')

it('robots.txt names the sitemap under the address of the site', async () => {
  await run()
  expect(read('robots.txt')).toBe(
    'User-agent: *\nDisallow: /api/\n\nSitemap: https://vitrina.example/sitemap.xml\n',
  )
})

it('robots.txt keeps search engines out of a second site, such as staging', async () => {
  await run({ isSearched: false })
  expect(read('robots.txt')).toBe('User-agent: *\nDisallow: /\n')
})

it('the web manifest has the name of the site, and is written again when the name changes', async () => {
  for (const name of ['Vitrina', 'La "Casa" </script> Ñandú', 'Vitrina']) {
    await run({ name })
    expect(JSON.parse(read(WEB_MANIFEST))).toEqual({ name, short_name: name, display: 'minimal-ui' })
  }
})

it('a web manifest that is not a JSON object is refused', async () => {
  for (const text of ['{', '[]'])
    await expect(run({ publicFiles: { ...PUBLIC, [WEB_MANIFEST]: text } })).rejects.toThrow(UsageError)
})

it.each([
  'index.html',
  '404.html',
  'sitemap.xml',
  'catalogo/ana.html',
  'catalogo/ana/uno.html',
  'estado.json',
])('refuses the public file %s, which would take turns with the file of the site', async (file) => {
  await run()
  const before = read('index.html')
  await expect(run({ publicFiles: { ...PUBLIC, [file]: 'other' } })).rejects.toThrow(UsageError)
  expect(read('index.html')).toBe(before)
  await run({ publicFiles: { ...PUBLIC, [`muestra/${file}`]: 'other' } })
  expect(read(`muestra/${file}`)).toBe('other')
})

it('a compiled file that is damaged is refused instead of published', async () => {
  const damage = (world: World): World => {
    const kept = world.renderers.find('one')
    if (kept === null) throw new Error('the renderer is not compiled')
    const found = { ...kept, assets: { ...kept.assets, '_astro/shared.js': hashBytes('whole') } }
    return { ...world, renderers: { ...world.renderers, find: () => found } }
  }
  const built = runInWorld({ folder: path(), documents: [user('ana')], wrap: damage })
  await expect(built).rejects.toThrow(/shared\.js is damaged: remove the folder .*compiled/)
})

it('a service worker that is switched off is replaced by one that unregisters itself, and comes back', async () => {
  for (const [keepsPages, text] of [
    [true, 'keeps'],
    [false, RETIRED],
    [true, 'keeps'],
  ] as const) {
    await run({ keepsPages })
    expect(read(SERVICE_WORKER)).toBe(text)
  }
})

it('a photo of the public folder is shown while its file is there', async () => {
  await run()
  expect(read('catalogo/ana.html')).not.toContain(PHOTO)
  for (const publicFiles of [{ ...PUBLIC, [PHOTO]: 'photo' }, PUBLIC]) {
    expect(await run({ publicFiles })).toMatchObject({ written: { examples: ['catalogo/ana.html'] } })
    expect(read('catalogo/ana.html').includes(PHOTO)).toBe(PHOTO in publicFiles)
  }
})
