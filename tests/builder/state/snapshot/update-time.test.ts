import { expect, it } from 'vitest'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import { formatUpdateTime } from '../../../../src/domain/documents/update-time.ts'
import { user, withTime } from '../../../support/rebuild/documents.ts'
import { takeWhole } from '../../../support/edge/items.ts'

it.each([
  ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
  ['2024-01-31T00:00:00.123Z', '2024-01-31T00:00:00.123Z'],
  ['2024-01-01t00:00:00.5z', '2024-01-01T00:00:00.500Z'],
  ['2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00.123456789Z'],
  ['2024-01-01T01:00:00+05:30', '2023-12-31T19:30:00.000Z'],
  ['2024-01-01 10:00:00', '2024-01-01T10:00:00.000Z'],
  ['2024-01-01 10:00:00.25', '2024-01-01T10:00:00.250Z'],
])('the time %s is %s', (text, time) => {
  expect(formatUpdateTime(text)).toBe(time)
})

it.each([
  '2024-02-30T00:00:00Z',
  '2024-02-30T00:00:00.000Z',
  '2023-02-29T00:00:00Z',
  '2024-04-31T00:00:00.000Z',
  '2024-00-10T00:00:00Z',
  '2024-01-01T24:00:00Z',
  '2024-01-01T24:00:00.000Z',
  '2024-01-01T00:60:00Z',
  '2024-01-01T00:00:00',
  '2024-01-01T00:00:00+24:00',
  '2024-01-01T00:00:00.1234567890Z',
  '+012024-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '9999-12-31T23:59:59-01:00',
  '0000-01-01T00:00:00+01:00',
  '2024-1-1 10:00:00',
  '2024',
  'yesterday',
])('%s is no time', (text) => {
  expect(formatUpdateTime(text)).toBeNull()
})

it('a document with an invalid time is shown without one, and reported', async () => {
  const snapshot = openSnapshot(':memory:')
  await takeWhole(snapshot, [withTime(user('ana'), '2024-02-30T00:00:00Z')])
  expect(snapshot.hasSeller('ana')).toBe(true)
  expect(snapshot.readProblems()).toMatchObject([{ id: 'ana', field: 'update_time', fatal: false }])
  snapshot.close()
})
