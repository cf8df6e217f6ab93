import { expect, test } from 'vitest'
import { parseWhatsApp } from '../../../src/domain/documents/whatsapp.ts'

test.each([
  ['8095550100', '18095550100'],
  ['829 555 0100', '18295550100'],
  ['(849) 555-0100', '18495550100'],
  ['+1 809-555-0100', '18095550100'],
  ['18095550100', '18095550100'],
  [8_095_550_100, '18095550100'],
  ['\u202A+1 809\u2011555\u20110100\u202C', '18095550100'],
  ['+34 612 345 678', '34612345678'],
  ['12345678', '12345678'],
  ['123456789012345', '123456789012345'],
])('%s is the number %s', (raw, number) => {
  expect(parseWhatsApp(raw)).toBe(number)
})

test.each<[unknown, string]>([
  ['', 'empty'],
  ['1234567', 'seven digits'],
  ['1234567890123456', 'sixteen digits'],
  ['0095550100', 'a leading zero'],
  ['809 555 0100 ext. 2', 'words'],
  ['809/555/0100', 'another separator'],
  ['８０９５５５０１００', 'digits of another script'],
  ['javascript:alert(1)', 'code'],
  [809.5, 'a fraction'],
  [-8_095_550_100, 'a negative number'],
  [null, 'nothing'],
  [{ number: '8095550100' }, 'a map'],
])('%o is no number: %s', (raw, _reason) => {
  expect(parseWhatsApp(raw)).toBeNull()
})
