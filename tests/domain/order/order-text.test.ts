import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOrderWords } from '../../../src/domain/messages.ts'
import type { VisitorOrder, OrderLine } from '../../../src/domain/order/order.ts'
import { ORDER_SIZES } from '../../../src/domain/order/order.ts'
import type { WrittenLine } from '../../../src/domain/order/order-text.ts'
import {
  formatOrderText,
  formatWhatsAppAddress,
  MAX_ORDER_TEXT,
} from '../../../src/domain/order/order-text.ts'

const CONTEXT = {
  words: createOrderWords('Vitrina'),
  formatAddress: (product: string) => `https://vitrina.example/catalogo/ana/${product}`,
}
const LINE: OrderLine = {
  product: 'p1',
  size: 'frasco',
  count: 1,
  name: 'Carolina Herrera 212 & más 💛',
  price: 6_400,
}

function repeatLine(count: number, name = LINE.name): VisitorOrder {
  return Array.from({ length: count }, (_, index) => ({ ...LINE, product: `p${index}`, name }))
}

test('the text of an order has a line for each size, the total and the addresses', () => {
  const order: VisitorOrder = [LINE, { ...LINE, size: '5ml', count: 2, price: 450 }]
  expect(formatOrderText(order, CONTEXT)).toBe(
    [
      'Hola, vi tu catálogo en Vitrina y quiero pedir:',
      '',
      '1 × Carolina Herrera 212 & más 💛: RD$6,400',
      'https://vitrina.example/catalogo/ana/p1',
      '2 × Carolina Herrera 212 & más 💛 5ML: RD$900',
      'https://vitrina.example/catalogo/ana/p1',
      '',
      'Total: RD$7,300',
      '',
      '¿Lo tienes disponible? ¿Cómo te pago y cómo lo recibo?',
    ].join('\n'),
  )
})

test('a name from right to left does not take its price along', () => {
  const text = formatOrderText([{ ...LINE, name: 'عطر العود 100 مل' }, LINE], CONTEXT)
  expect(text).toContain('1 × \u2068عطر العود 100 مل\u2069: RD$6,400\n')
  expect(text.match(/\u2068/g)).toHaveLength(1)
})

test('the text of an order leaves the addresses out if it is too long', () => {
  const text = formatOrderText(repeatLine(20), CONTEXT)
  expect(text).not.toContain('https://')
  expect(text.match(/Herrera 212 & más 💛: RD\$6,400/g)).toHaveLength(20)
})

test('the text of an order that is still too long shortens names, and lists all of 40 lines', () => {
  const text = formatOrderText(repeatLine(40, 'Yves Saint Laurent L’Homme Ultime Eau de Parfum'), CONTEXT)
  expect(text.length).toBeLessThanOrEqual(MAX_ORDER_TEXT)
  expect(text.match(/1 × Yves Saint Laurent.*…: RD\$6,400/g)).toHaveLength(40)
})

test('the text of an order that is far too long counts what does not fit; the total is that of all', () => {
  const text = formatOrderText(repeatLine(90), CONTEXT)
  expect(text.length).toBeLessThanOrEqual(MAX_ORDER_TEXT)
  const listed = text.match(/^1 × /gm) ?? []
  expect(text).toContain(`… y ${90 - listed.length} productos más\n\nTotal: RD$576,000\n\n¿Lo tienes`)
})

test('a long order is written in a few attempts: it is written again at each touch', () => {
  const order = repeatLine(200, 'Ámbar y Ñandú '.repeat(35))
  let written = 0
  const formatLine = (line: WrittenLine): string => {
    written += 1
    return CONTEXT.words.formatLine(line)
  }
  formatOrderText(order, { ...CONTEXT, words: { ...CONTEXT.words, formatLine } })
  expect(written).toBeLessThan(order.length * 15)
})

test('the text of any order fits, and survives the address', () => {
  const lines = fc.record<OrderLine>({
    product: fc.string({ maxLength: 30 }),
    size: fc.constantFrom(...ORDER_SIZES),
    count: fc.integer({ min: 1, max: 99 }),
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 500 }),
    price: fc.integer({ min: 0, max: 999_999_999 }),
  })
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 120 }), (order) => {
      const text = formatOrderText(order, CONTEXT)
      expect(text.length).toBeLessThanOrEqual(MAX_ORDER_TEXT)
      const address = new URL(formatWhatsAppAddress('18095550100', text))
      expect(address.origin + address.pathname).toBe('https://wa.me/18095550100')
      expect(address.searchParams.get('text')).toBe(text.toWellFormed())
    }),
    { numRuns: 50 },
  )
})
