import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawSocial } from '../../../src/builder/pictures/social/draw-social.ts'
import { layText, layTiles, SOCIAL_SIZE } from '../../../src/builder/pictures/social/social-layout.ts'
import type { SocialInputs, SocialTools } from '../../../src/builder/pictures/social/social-inputs.ts'
import {
  cleanLetters,
  formatOutline,
  measureText,
} from '../../../src/builder/pictures/social/social-fonts.ts'
import { fitText } from '../../../src/builder/pictures/social/social-text.ts'
import { openPictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { ANY_CHARACTER } from '../../support/run/any-character.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { rebuildHere } from '../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const PUBLIC = new URL('../../../public/', import.meta.url)
const PHOTOS = ['arch-rose', 'gem-blue', 'drop-noir', 'waist-aqua'].map((name) => `muestra/${name}.svg`)

function draw(name: string, photos: readonly string[]): ReturnType<typeof drawSocial> {
  const inputs: SocialInputs = {
    brand: 'Vitrina',
    name,
    address: '/catalogo/a',
    line: '38 productos',
    photos: photos.map((one) => ({ kind: 'own', path: one })),
  }
  const tools: SocialTools = {
    store: openPictureStore(':memory:', expect.unreachable),
    hosts: { names: [], origins: [] },
    brand: 'Vitrina',
    readPublicFile: (file) =>
      existsSync(new URL(file, PUBLIC)) ? readFileSync(new URL(file, PUBLIC)) : null,
  }
  return drawSocial(inputs, tools)
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
      const { bytes } = await draw(name, PHOTOS.slice(0, index))
      const { format, width, height } = await sharp(bytes).metadata()
      expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
      expect(bytes.length).toBeLessThanOrEqual(300_000)
    }
  })

  it('is the same for the same inputs, and has another address for others', async () => {
    const [one, again, other] = await Promise.all([
      draw('Ana', PHOTOS),
      draw('Ana', PHOTOS),
      draw('Ana', PHOTOS.toReversed()),
    ])
    expect(again).toEqual(one)
    expect(other?.path).not.toBe(one?.path)
    expect(one?.path).toMatch(/^social\/[\da-f]{20}\.jpg$/)
  })

  it('is drawn without a photo that cannot be decoded', async () => {
    expect((await draw('Ana', ['muestra/lost.svg', 'robots.txt'])).bytes.length).toBeGreaterThan(5_000)
  })

  it('has tiles that do not overlap and lie inside the picture', () => {
    for (const count of [0, 1, 2, 3, 4]) {
      const tiles = layTiles(count)
      expect(tiles).toHaveLength(count)
      for (const [index, { left, top, width, height }] of tiles.entries()) {
        expect(left).toBeGreaterThanOrEqual(index === 0 ? 15 : (tiles[index - 1]?.left ?? 0) + width)
        expect(left + width).toBeLessThanOrEqual(SOCIAL_SIZE.width - 15)
        expect(top + height).toBeLessThanOrEqual(SOCIAL_SIZE.height - 15)
      }
    }
  })
})

describe('the text of such a picture', () => {
  const INPUTS = { brand: 'Vitrina', address: '/catalogo/a', line: '1234 productos', photos: [] }
  const LONG = 'María de la Altagracia Esperanza Fernández de Castro y Bermúdez-Rochet viuda de Santana'
  const fit = (text: string) =>
    fitText(text, { sizes: [92, 52, 40], width: 570, height: 188, weight: 700 }).map((line) => line.text)

  it('lies inside the middle square, to which chats crop the picture, and above the photos', () => {
    const names = ['Ana', LONG, `${LONG} ${LONG}`, 'W'.repeat(400), 'محمد العطار '.repeat(9), '中文 😀', '']
    for (const name of names) {
      const photos = PHOTOS.map((file) => ({ kind: 'own', path: file }) as const)
      for (const line of layText({ ...INPUTS, brand: 'Una tienda '.repeat(6), name, photos })) {
        expect(line.x).toBeGreaterThanOrEqual(315)
        expect(line.x + measureText(line)).toBeLessThanOrEqual(885)
        expect(line.y - line.size * 0.7).toBeGreaterThan(50)
        expect(line.y + line.size * 0.25).toBeLessThan(layTiles(4)[0]?.top ?? 0)
      }
    }
  })

  it('breaks between words, into lines of similar width, and becomes smaller for that', () => {
    expect(fit('María Fernanda de la Altagracia Rodríguez Santana')).toEqual([
      'María Fernanda de',
      'la Altagracia',
      'Rodríguez Santana',
    ])
    expect(fit('Perfumería Internacional')).toEqual(['Perfumería', 'Internacional'])
    expect(fit(LONG).join(' ')).toBe(LONG)
  })

  it('breaks inside a word only if the least size does not hold it, and ends with an ellipsis if it is cut', () => {
    const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau'
    expect(fit(word).length).toBeGreaterThan(1)
    expect(fit(word).join('')).toBe(word)
    const cut = fit(`${LONG} ${LONG}`)
    expect([cut.length, cut.join(' ').endsWith('…')]).toEqual([4, true])
    expect(LONG.split(' ')).toEqual(expect.arrayContaining(cut.slice(0, 3).join(' ').split(' ')))
    expect(fit('')).toEqual([])
  })

  it('is laid out for any name', () => {
    const LETTERS = fc.constantFrom(...'íj\u0301\u0308ﬁ½∕ĩمَلا٣ 中', 'lá', '😀')
    const names = fc.string({ unit: fc.oneof(LETTERS, ANY_CHARACTER), maxLength: 30 })
    fc.assert(
      fc.property(names, (name) => {
        expect(layText({ ...INPUTS, name }).every(({ x }) => x > 0)).toBe(true)
      }),
    )
  })

  it('has the address if no letter of the name can be drawn', () => {
    const lines = layText({ ...INPUTS, name: '中文 😀' })
    expect(lines.map(({ text }) => text)).toEqual(['/catalogo/a', 'Vitrina', '1234 productos'])
  })

  it('leaves out letters that the fonts lack, and keeps those of Spanish, accented and Arabic ones', () => {
    expect(cleanLetters('Ñandú 中 «¿Año?» 😀\u0007 Dvořák محمد', 700)).toBe('Ñandú «¿Año?» Dvořák محمد')
    expect(cleanLetters('𝓜𝓪𝓻í𝓪 Ｌｉ j\u0301', 700)).toBe('María Li j')
  })

  it('joins Arabic letters, and places words of a name from the right if it begins there', () => {
    const measure = (text: string): number => measureText({ text, size: 100, weight: 700 })
    const outline = (text: string, x: number): string => formatOutline({ text, size: 100, weight: 700 }, x, 0)
    const apart = [...'محمد'].reduce((sum, letter) => sum + measure(letter), 0)
    expect(Math.abs(measure('محمد') - apart)).toBeGreaterThan(1)
    const space = measure('محمد ') - measure('محمد')
    expect(outline('محمد Ana', 0)).toBe(outline('Ana', 0) + outline('محمد', measure('Ana') + space))
    expect(outline('Ana محمد', 0)).toBe(outline('Ana ', 0) + outline('محمد', measure('Ana ')))
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
