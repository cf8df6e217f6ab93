import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { cleanLetters, drawSocial } from '../../../src/builder/pictures/draw-social.ts'
import { nameSocial } from '../../../src/builder/pictures/social-inputs.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { ANY_CHARACTER } from '../../support/run/values.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { rebuildHere } from '../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const PUBLIC = new URL('../../../public/', import.meta.url)
const PHOTOS = ['arch-rose', 'gem-blue', 'drop-noir', 'waist-aqua'].map((name) => `muestra/${name}.svg`)

/** Beside the middle square, and between the text and the photos. */
const LEFT_OF_TEXT = { left: 0, top: 60, width: 315, height: 240 }
const ABOVE_TILES = { left: 0, top: 302, width: 1_200, height: 14 }

function draw(name: string, photos: readonly string[], brand = 'Vitrina'): Promise<Uint8Array> {
  return drawSocial({ brand, name, address: '/catalogo/a', line: '38 productos', photos }, (file) =>
    existsSync(new URL(file, PUBLIC)) ? readFileSync(new URL(file, PUBLIC)) : null,
  )
}

describe('a picture for shared links', () => {
  it('has the recommended size and few bytes, with any number of photos and any name', async () => {
    const names = [
      'Ana',
      'María Fernanda de los Ángeles Rodríguez',
      'X'.repeat(200),
      '中文 😀',
      '\u202Eevil<svg>',
      'j\u0301 \u064E\u0651',
    ]
    for (const [index, name] of names.entries()) {
      const bytes = await draw(name, PHOTOS.slice(0, index))
      const { format, width, height } = await sharp(bytes).metadata()
      expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
      expect(bytes.length).toBeLessThanOrEqual(300_000)
    }
  })

  it('has another address for other inputs, or other bytes of a drawing', () => {
    const inputs = { brand: '', name: 'Ana', address: '/catalogo/a', line: '38 productos', photos: PHOTOS }
    const [first = ''] = PHOTOS
    const name = (changes: Partial<typeof inputs>, source = '1'): string =>
      nameSocial({ ...inputs, ...changes }, { [first]: source })
    expect(name({})).toMatch(/^social\/[\da-f]{20}\.jpg$/)
    expect(name({})).toBe(name({}))
    const others = [name({ name: 'Eva' }), name({ photos: PHOTOS.toReversed() }), name({}, '2')]
    expect(new Set([name({}), ...others]).size).toBe(4)
  })

  it('is drawn without a photo that cannot be decoded', async () => {
    expect((await draw('Ana', ['muestra/lost.svg', 'robots.txt'])).length).toBeGreaterThan(5_000)
  })

  it('has all text in the middle square, to which chats crop the picture, and above the photos', async () => {
    const long = 'María de la Altagracia Esperanza Fernández de Castro y Bermúdez viuda de Santana '
    for (const name of ['Ana', long, long.repeat(3), 'W'.repeat(400), 'محمد العطار '.repeat(9)]) {
      const bytes = await draw(name, PHOTOS, 'Una tienda '.repeat(6))
      const { channels } = await sharp(await sharp(bytes).extract(LEFT_OF_TEXT).png().toBuffer()).stats()
      for (const { stdev } of channels) expect(stdev).toBeLessThan(3)
      const { channels: above } = await sharp(
        await sharp(bytes).extract(ABOVE_TILES).png().toBuffer(),
      ).stats()
      for (const { stdev } of above) expect(stdev).toBeLessThan(3)
    }
  })

  it('has the address if no letter of the name can be drawn', async () => {
    expect(await draw('中文 😀', PHOTOS)).toEqual(await draw('/catalogo/a', PHOTOS))
  })
})

describe('the letters of such a picture', () => {
  it('are those of Spanish, accented and Arabic names, without those that the fonts lack', () => {
    expect(cleanLetters('Ñandú 中 «¿Año?» 😀\u0007 Dvořák محمد')).toBe('Ñandú «¿Año?» Dvořák محمد')
    expect(cleanLetters('𝓜𝓪𝓻í𝓪 \u202EＬｉ ✨')).toBe('María Li')
  })

  it('are drawn whatever they are', async () => {
    const LETTERS = fc.constantFrom(...'<&>"íj\u0301\u0308ﬁ½∕ĩمَلا٣ 中', 'lá', '😀')
    const names = fc.string({ unit: fc.oneof(LETTERS, ANY_CHARACTER), maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        expect((await draw(name, [])).length).toBeGreaterThan(5_000)
      }),
      { numRuns: 30 },
    )
  })
})

describe('a rebuild', () => {
  const build = (documents: readonly SourceDocument[], env: Readonly<Record<string, string>> = {}) => {
    writeFolder(path('source'), documents)
    const folders = { source: path('source'), output: path('dist'), state: path('state') }
    return rebuildHere({ ...folders, env: { PHOTOS: 'files', ...env } })
  }
  const readPreview = (page: string): string | undefined =>
    /property="og:image" content="http:\/\/localhost:8787\/(social\/[\da-f]+\.jpg)"/.exec(
      readFileSync(path('dist', page), 'utf8'),
    )?.[1]
  const readSocial = (seller: string): string | undefined => readPreview(`catalogo/${seller}.html`)
  const perfume = (price = 1) => product('p', 'ana', { price, photo: '/muestra/gem-blue.svg' })

  it('gives each seller a picture, also without products, which changes with its inputs but not with a price', async () => {
    await build([user('ana'), perfume(), user('sol')])
    const first = readSocial('ana') ?? ''
    expect(existsSync(path('dist', first))).toBe(true)
    expect(existsSync(path('dist', readSocial('sol') ?? ''))).toBe(true)
    await build([user('ana'), perfume(2), user('sol')])
    expect(readSocial('ana')).toBe(first)
    await build([user('ana', 'Otra'), perfume(2), user('sol')])
    expect(readSocial('ana')).not.toBe(first)
    expect(existsSync(path('dist', readSocial('ana') ?? ''))).toBe(true)
  })

  it('gives the home page a picture with the name of the site, and none without pictures', async () => {
    const home: (string | undefined)[] = []
    const settings: readonly Readonly<Record<string, string>>[] = [
      {},
      { SITE_NAME: 'Escaparate' },
      {},
      { PHOTOS: 'off' },
    ]
    for (const env of settings) {
      await build([user('ana')], env)
      const picture = readPreview('index.html')
      home.push(picture)
      expect(picture === undefined || existsSync(path('dist', picture))).toBe(true)
    }
    const [first, renamed, again, off] = home
    expect([again, off]).toEqual([first, undefined])
    expect(renamed).not.toBe(first)
  })

  it('removes the picture of a seller who is gone in a run over everything', async () => {
    const keep = (price: number) => [user('sol'), product('q', 'sol', { price })]
    await build([user('ana'), perfume(), ...keep(1)])
    const gone = readSocial('ana') ?? ''
    const isThere = (): boolean => existsSync(path('dist', gone))
    await build(keep(2))
    const wasThere = isThere()
    await build(keep(2), { SITE_NAME: 'Escaparate' })
    expect([wasThere, isThere()]).toEqual([true, false])
  })
})
