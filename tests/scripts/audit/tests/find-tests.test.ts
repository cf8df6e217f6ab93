/** `check:edited`: which tests belong to an edited file. */
import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findTests } from '../../../../scripts/audit/tests/find-tests.ts'
import { ROOT } from '../../../../src/builder/state/project-folder.ts'

const TESTS = globSync('tests/**/*.test.ts', { cwd: ROOT })
const SCREENS = 'tests/served/browser/screens.test.ts'

it('finds all tests of the pure code for one of its files', () => {
  const found = findTests(['src/domain/documents/price.ts'], TESTS)
  expect(found).toEqual(TESTS.filter((test) => test.startsWith('tests/domain/')).toSorted())
})

it('finds the test of the same name, or those of the nearest folder', () => {
  expect(findTests(['src/builder/rebuild/check/file-reader.ts'], TESTS)).toEqual([
    'tests/builder/rebuild/check/file-reader.test.ts',
  ])
  const found = findTests(['src/edge/search/word-tables.ts'], TESTS)
  expect(found).toEqual(TESTS.filter((test) => test.startsWith('tests/edge/search/')).toSorted())
})

it('finds for a component the tests of the screens, and of what it is named after', () => {
  const found = findTests(['src/site/components/OrderBar.astro'], TESTS)
  expect(found).toContain(SCREENS)
  expect(found).toContain('tests/served/browser/order.test.ts')
  expect(found).not.toContain('tests/served/browser/offline.test.ts')
})

it('finds an edited test itself, and nothing for other files', () => {
  expect(findTests([SCREENS, 'README.md', 'tests/gone.test.ts'], TESTS)).toEqual([SCREENS])
})
