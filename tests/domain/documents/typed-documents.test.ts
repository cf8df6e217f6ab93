/** Documents as people type them: what a visitor sees, and what is reported. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import { parseProduct } from '../../../src/domain/documents/product.ts'
import { collectComplaints } from '../../support/rebuild/hostile.ts'

function parse(fields: Readonly<Record<string, unknown>>) {
  const { complain, complaints } = collectComplaints()
  const owned = parseProduct('t1', { name: 'Eros', owner: { id: 's1' }, ...fields }, complain)
  if (owned === null) throw new Error('the product is left out')
  return { product: owned.product, faults: complaints.map(({ field, reason }) => `${field} ${reason}`) }
}

const TWO = 'price has two prices in one field'
const DOUBT = 'price could be two amounts, as 3.550 could be 3.55 or 3,550'
const RANGE = 'price is not an amount between 0 and 999,999,999'
const CURRENCY = 'price is in another currency than RD$'
const WORDS = 'price is not an amount, such as 3500 or RD$3,500.50'

it.each([
  [4900, 'RD$4,900'],
  ['RD$4,900', 'RD$4,900'],
  [' $ 1,186.50 ', 'RD$1,186.50'],
  ['16900', 'RD$16,900'],
  ['4,500/=', 'RD$4,500'],
  ['3,250 DOP', 'RD$3,250'],
  ['2,800 pesos', 'RD$2,800'],
  ['1.186,50', 'RD$1,186.50'],
  ['RD$\u00a04,900.-', 'RD$4,900'],
  ['rd 4,900', 'RD$4,900'],
  ['$922.00', 'RD$922'],
  ['1186.5', 'RD$1,186.50'],
  ['450,75', 'RD$450.75'],
  ['1.234.567', 'RD$1,234,567'],
  ['\u200e1,234,567.8', 'RD$1,234,567.80'],
  ['0.00', 'RD$0'],
  ['', '--'],
  [' \u00a0\u200b', '--'],
])('the price %j is shown as %s, without a fault', (price, shown) => {
  const { product, faults } = parse({ price })
  expect([formatPrice(product.price), faults]).toEqual([shown, []])
})

it.each([
  ['RD$3,550 / RD$4,150', TWO],
  ['350 650', TWO],
  ['5ml 350', TWO],
  ['3.550', DOUBT],
  ['RD$3.5', DOUBT],
  ['1,5', DOUBT],
  ['1,2345', DOUBT],
  ['0,550', DOUBT],
  ['12,34,567', DOUBT],
  ['840222306876', RANGE],
  ['-200', RANGE],
  ['US$45', CURRENCY],
  ['45 USD', CURRENCY],
  ['45 dólares', CURRENCY],
  ['€45', CURRENCY],
  ['consultar', WORDS],
  ['desde 3,500', WORDS],
  ['4.9k', WORDS],
  ['0350', WORDS],
  ['1e3', TWO],
  ['9'.repeat(1000), WORDS],
  [true, RANGE],
])('the price %j is not shown, and is reported', (price, fault) => {
  const { product, faults } = parse({ price })
  expect([formatPrice(product.price), faults, product.unread]).toEqual(['--', [fault], ['price']])
})

it.each([
  [['true', ' SI ', 'sí', 'Yes', 'verdadero', 'Disponible', 1, '1', 5, '12'], true],
  [['false', 'No', 'FALSO', 'agotado', 'no disponible', 'Not Available', 0, '0', '', ' '], false],
])('the flags %j mean %j, without a fault', (flags, isAvailable) => {
  for (const available of flags)
    expect([available, parse({ available })]).toMatchObject([
      available,
      { product: { available: isAvailable }, faults: [] },
    ])
})

it('a flag that cannot be read means not available, and is reported', () => {
  for (const available of ['tal vez', 'por encargo', -1, Number.NaN, 'x'.repeat(1000), [], {}])
    expect([available, parse({ available })]).toMatchObject([
      available,
      {
        product: { available: false },
        faults: ['available is neither yes nor no, and no number of pieces in stock'],
      },
    ])
})

it.each([
  [350, { price: 350, available: true }, []],
  ['RD$650', { price: 650, available: true }, []],
  [0, { price: 0, available: false }, []],
  ['', { price: null, available: false }, []],
  ['consultar', { price: null, available: false }, ['_5ml is not an amount, such as 3500 or RD$3,500.50']],
  [
    { price: 'mil', available: true },
    { price: null, available: true },
    ['_5ml.price is not an amount, such as 3500 or RD$3,500.50'],
  ],
  [{ price: '350', available: 'si' }, { price: 350, available: true }, []],
  [{ price: '', available: false }, { price: null, available: false }, []],
])('the decant %j is %j', (typed, decant, faults) => {
  expect(parse({ _5ml: typed })).toMatchObject({ product: { _5ml: decant }, faults })
})

it('entities of HTML in names are decoded once, and never become markup', () => {
  const names = [
    ['Casa &amp; Hijo N&#176;5', 'Casa & Hijo N°5'],
    ['Lanc&ocirc;me &Ntilde; &#xF1; &quot;X&quot;', 'Lancôme Ñ ñ "X"'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['&lt;script&gt;', '<script>'],
    ['&#8238;a&nbsp;&#0;b', 'a b'],
    ['AT&T &copy x &unknown; &#9999999; &;', 'AT&T &copy x &unknown; &#9999999; &;'],
  ]
  for (const [name, shown] of names) expect(parse({ name }).product.name).toBe(shown)
})

it.each([
  ['//cdn.shop.example/a.jpg', 'https://cdn.shop.example/a.jpg'],
  ['cdn.shop.example/a b.jpg', 'https://cdn.shop.example/a%20b.jpg'],
  [
    'https://drive.google.com/file/d/1AbCdEfGh/view?usp=sharing',
    'https://drive.google.com/uc?export=view&id=1AbCdEfGh',
  ],
  ['drive.google.com/open?id=1Ab-C_d', 'https://drive.google.com/uc?export=view&id=1Ab-C_d'],
  ['https://drive.google.com/drive/folders/1AbC', 'https://drive.google.com/drive/folders/1AbC'],
  ['https://www.dropbox.com/s/1ab/a.jpg?dl=0', 'https://www.dropbox.com/s/1ab/a.jpg?raw=1'],
  [
    'https://www.dropbox.com/scl/fi/1ab/a.jpg?rlkey=k&dl=0',
    'https://www.dropbox.com/scl/fi/1ab/a.jpg?rlkey=k&raw=1',
  ],
])('the photo %s is %s', (photo, address) => {
  expect(parse({ photo })).toMatchObject({ product: { photo: address }, faults: [] })
})

it('no text causes an exception, and no amount is shown that its text does not contain', () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.stringMatching(/^[ -]?(RD\$|\$|US\$)?[\d.,/ ]{0,14}( pesos|DOP|\/=)?$/),
  )
  fc.assert(
    fc.property(typed, typed, typed, (text, price, flag) => {
      const { product } = parse({ name: `x${text}`, photo: text, price, available: flag, _10ml: price })
      if (product.price !== null) expectDigits(price, product.price)
      expect(product['_10ml'].price).toBe(product.price)
    }),
    { numRuns: 5_000 },
  )
})

/** The amount has the digits of the text in their order, except for zeros at its ends. */
function expectDigits(text: string, price: number): void {
  const digits = Number(text.replaceAll(/\D/g, ''))
  expect([digits, digits * 10, digits * 100]).toContain(Math.round(price * 100))
}
