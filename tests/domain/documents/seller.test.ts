import { expect, test } from 'vitest'
import { formatSellerName, parseProfile } from '../../../src/domain/documents/seller.ts'
import { collectComplaints, NO_STRINGS } from '../../support/rebuild/hostile.ts'
import { parseWhatsApp } from '../../../src/domain/documents/whatsapp.ts'

const parse = (data: unknown) => {
  const { complain, complaints } = collectComplaints()
  return { profile: parseProfile(data, complain), complaints }
}

const EMPTY = { fName: '', lName: '', whatsapp: null }

test('both names of a seller are cleaned', () => {
  expect(parse({ fName: ' Ana\n', lName: 'Nu\u0301n\u0303ez\u202e', age: 5 })).toEqual({
    profile: { fName: 'Ana', lName: 'Núñez', whatsapp: null },
    complaints: [],
  })
})

test('an absent name of a seller is empty, without problems', () => {
  for (const data of [{}, { fName: null }, { fName: undefined, lName: '' }, { fName: '  ', lName: '\u0000' }])
    expect(parse(data)).toEqual({ profile: EMPTY, complaints: [] })
})

test('a name of a wrong type is empty and reported, and the other is kept', () => {
  for (const value of NO_STRINGS) {
    const { profile, complaints } = parse({ fName: value, lName: 'Pérez' })
    expect(profile).toEqual({ ...EMPTY, lName: 'Pérez' })
    expect(complaints).toMatchObject([{ field: 'fName', fatal: false }])
  }
})

test('a number for orders is read from its own field only', () => {
  expect(parse({ whatsapp: '809-555-0100', phone: '829-555-0100' })).toEqual({
    profile: { ...EMPTY, whatsapp: '18095550100' },
    complaints: [],
  })
  expect(parse({ whatsapp: 8_095_550_100 }).profile.whatsapp).toBe('18095550100')
  expect(parse({ phone: '809-555-0100', tel: '809-555-0100', whatsApp: '809-555-0100' }).profile).toEqual(
    EMPTY,
  )
})

test('an absent number is none, without problems', () => {
  for (const whatsapp of [undefined, null, '', ' \n'])
    expect(parse({ whatsapp })).toEqual({ profile: EMPTY, complaints: [] })
})

test('a wrong number is none and reported, and the names are kept', () => {
  for (const whatsapp of ['no', '809-555', '1'.repeat(1_000_000), ...NO_STRINGS]) {
    const { profile, complaints } = parse({ fName: 'Ana', whatsapp })
    expect(profile).toEqual({ ...EMPTY, fName: 'Ana' })
    expect(complaints).toEqual([
      { field: 'whatsapp', reason: 'is not a telephone number of 8 to 15 digits', fatal: false },
    ])
  }
})

test('a name of a megabyte is cut', () => {
  const { profile } = parse({ fName: 'a'.repeat(1_000_000) })
  expect(profile.fName).toHaveLength(500)
})

test('a seller’s name is both names, one of them, or the placeholder', () => {
  expect(formatSellerName({ fName: 'Ana', lName: 'Pérez' })).toBe('Ana Pérez')
  expect(formatSellerName({ fName: '', lName: 'Pérez' })).toBe('Pérez')
  expect(formatSellerName({ fName: 'Ana', lName: '' })).toBe('Ana')
  expect(formatSellerName({ fName: '', lName: '' })).toBe('Jhon Doe')
  expect(formatSellerName(null)).toBe('Jhon Doe')
})

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
