/** The content of a poster, from the documents that cause it. */
import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { parseProduct } from '../../../src/domain/documents/product.ts'
import { parseProfile } from '../../../src/domain/documents/seller.ts'
import type { PosterMark } from '../../../src/domain/messages.ts'
import { POSTER_MARKS } from '../../../src/domain/messages.ts'
import type { PosterPage } from '../../../src/domain/pages/poster.ts'
import { createPosterPage } from '../../../src/domain/pages/poster.ts'
import type { CataloguePictures } from '../../../src/domain/photos/picture.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { formatTransformations } from '../../../src/domain/photos/transformations.ts'
import { product, user, withNumber } from '../../support/rebuild/documents.ts'

type Fields = Record<string, unknown>

const SHOWN = 'https://photos.example/shown.jpg'
const MADE = { type: 'image/avif', sources: [{ path: 'fotos/shown.avif', width: 240 }], tone: 0 }
const PICTURES: CataloguePictures = { photos: new Map([[SHOWN, MADE]]), social: 'social/ana.jpg' }
const SOUND: Fields = { name: 'Bleu', photo: SHOWN }

/** Creates the poster of a seller with these documents. */
function show(products: readonly Fields[], number: unknown = '8095550100', pictures = PICTURES): PosterPage {
  const parsed = products.flatMap((fields, index) => {
    const { id, data } = product(`p${index}`, 'ana', fields)
    return parseProduct(id, data, () => {})?.product ?? []
  })
  const profile = parseProfile(withNumber(user('ana'), number).data, () => {})
  const parts = { catalogue: createCatalogue('ana', profile, parsed), pictures, previews: {} }
  return createPosterPage(parts) as PosterPage
}

const NO_DECANTS = { _5ml: {}, _10ml: {} }
const SOLD_OUT = { ...SOUND, ...NO_DECANTS, available: false }

const CAUSES: Readonly<Record<PosterMark, readonly Fields[]>> = {
  'no-number': [SOUND],
  'no-products': [],
  'all-sold-out': [SOLD_OUT],
  'unread-price': [{ ...SOUND, price: 'RD$3,550 / RD$4,150' }],
  'no-price': [{ ...SOUND, price: null }],
  'zero-price': [{ ...SOUND, price: 0 }],
  'no-photo': [{ ...SOUND, photo: '' }],
  'lost-photo': [{ ...SOUND, photo: 'https://photos.example/lost.jpg' }],
  'same-name': [SOUND, { ...SOUND, name: ' BLÉU ' }],
  'sold-out': [SOUND, { ...SOLD_OUT, name: 'Eros' }],
}

describe('a poster', () => {
  it('has no mark for a seller whom nothing keeps from selling', () => {
    expect(show([SOUND, { ...SOUND, name: 'Eros', photo: '/muestra/eros.svg' }])).toMatchObject({
      seller: 'ana',
      name: 'Ana Pérez',
      whatsapp: '18095550100',
      summary: { count: 2 },
      social: 'social/ana.jpg',
      faults: [],
    })
  })

  it.each(Object.keys(POSTER_MARKS) as PosterMark[])(
    'has the mark %s for the documents that cause it',
    (mark) => {
      const { faults } = show(CAUSES[mark], mark === 'no-number' ? 'ninguno' : undefined)
      expect(faults.map((fault) => fault.mark)).toEqual([mark])
    },
  )

  it('names the sizes that are offered without a price, and no others', () => {
    const decants = { _5ml: { available: true }, _10ml: { available: false } }
    expect(show([{ ...SOUND, ...decants }]).faults).toEqual([
      { mark: 'no-price', count: 1, products: [{ id: 'p0', name: 'Bleu', sizes: ['5ml'] }] },
    ])
    expect(show([{ ...SOUND, price: 0.001, ...NO_DECANTS }]).faults).toEqual([
      { mark: 'zero-price', count: 1, products: [{ id: 'p0', name: 'Bleu', sizes: ['frasco'] }] },
    ])
  })

  it('names each size whose price could not be read, offered or not', () => {
    expect(show([{ ...SOUND, price: '3.550', _5ml: 'mil', _10ml: { price: '1-2' } }]).faults).toEqual([
      {
        mark: 'unread-price',
        count: 1,
        products: [{ id: 'p0', name: 'Bleu', sizes: ['frasco', '5ml', '10ml'] }],
      },
    ])
  })

  it('names twelve products of a mark, and counts all', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ ...SOUND, name: `Eros ${index}`, photo: null }))
    const [fault] = show(many).faults
    expect([fault?.mark, fault?.count, fault?.products.length]).toEqual(['no-photo', 30, 12])
  })

  it('says nothing of photos where no builder makes pictures', () => {
    const lost = [{ ...SOUND, photo: 'https://photos.example/lost.jpg' }]
    const service = { photos: new Map([[SHOWN, formatTransformations(SHOWN)]]), social: null }
    expect(
      show([SOUND, ...lost.map((one) => ({ ...one, name: 'Eros' }))], '8095550100', service).faults,
    ).toEqual([])
    expect(show(lost, '8095550100', NO_PICTURES).faults).toEqual([])
  })
})
