import { expect, test } from 'vitest'
import { formatSellerName, parseProfile } from '../../../src/domain/documents/seller.ts'
import { collectComplaints, NO_STRINGS } from '../../support/rebuild/hostile.ts'

const parse = (data: unknown) => {
  const { complain, complaints } = collectComplaints()
  return { profile: parseProfile(data, complain), complaints }
}

const EMPTY = { fName: '', lName: '', whatsapp: null }

test('both names are cleaned', () => {
  expect(parse({ fName: ' Ana\n', lName: 'Nu\u0301n\u0303ez\u202e', age: 5 })).toEqual({
    profile: { fName: 'Ana', lName: 'Núñez', whatsapp: null },
    complaints: [],
  })
})

test('an absent name is empty, without problems', () => {
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

test('inherited properties are ignored', () => {
  const data = Object.create({ fName: 'Inherited', whatsapp: '8095550100' }) as object
  expect(parse(data).profile).toEqual(EMPTY)
  expect(parse(JSON.parse('{"__proto__":{"fName":"Hidden"}}')).profile.fName).toBe('')
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
