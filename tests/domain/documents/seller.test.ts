import { expect, test } from 'vitest'
import { formatSellerName, parseProfile } from '../../../src/domain/documents/seller.ts'
import { collectComplaints, NO_STRINGS } from '../../support/hostile.ts'

const parse = (data: unknown) => {
  const { complain, complaints } = collectComplaints()
  return { profile: parseProfile(data, complain), complaints }
}

test('both names are cleaned', () => {
  expect(parse({ fName: ' Ana\n', lName: 'Nu\u0301n\u0303ez\u202e', age: 5 })).toEqual({
    profile: { fName: 'Ana', lName: 'Núñez' },
    complaints: [],
  })
})

test('an absent name is empty, without problems', () => {
  for (const data of [{}, { fName: null }, { fName: undefined, lName: '' }, { fName: '  ', lName: '\u0000' }])
    expect(parse(data)).toEqual({ profile: { fName: '', lName: '' }, complaints: [] })
})

test('a name of a wrong type is empty and reported, and the other is kept', () => {
  for (const value of NO_STRINGS) {
    const { profile, complaints } = parse({ fName: value, lName: 'Pérez' })
    expect(profile).toEqual({ fName: '', lName: 'Pérez' })
    expect(complaints).toMatchObject([{ field: 'fName', fatal: false }])
  }
})

test('inherited properties are ignored', () => {
  const data = Object.create({ fName: 'Inherited' }) as object
  expect(parse(data).profile.fName).toBe('')
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
