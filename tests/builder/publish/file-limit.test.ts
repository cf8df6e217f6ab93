import { expect, test } from 'vitest'
import { mapSwitches } from '../../../src/domain/documents/page-switches.ts'
import {
  FREE_FILES,
  findSurplus,
  formatFileLimit,
  MOST_FILES,
} from '../../../src/builder/publish/file-limit.ts'

const NONE = mapSwitches(() => 0)

test('returns nothing for a site far below the limits', () => {
  for (const files of [1, FREE_FILES * 0.8 - 1])
    expect(formatFileLimit({ files, pictures: 0, switched: NONE })).toBeNull()
})

test('warns near and above the limit of the free plan', () => {
  expect(formatFileLimit({ files: 19_000, pictures: 0, switched: NONE })).toBe(
    '19,000 of the 20,000 files that the free plan allows',
  )
  expect(formatFileLimit({ files: FREE_FILES + 1, pictures: 0, switched: NONE })).toBe(
    "more than the free plan's 20,000 files",
  )
})

test('warns near the limit of the paid plan, with the number of photo files and advice', () => {
  expect(formatFileLimit({ files: 95_000, pictures: 90_000, switched: NONE })).toBe(
    '95,000 of the 100,000 files that Cloudflare allows, 90,000 of them pictures (photos need no files with PHOTOS=service)',
  )
})

test('counts the files of each kind of page that a setting switches', () => {
  const switched = { ...NONE, productPages: 60_000, feeds: 15_000, posters: 15_000 }
  expect(formatFileLimit({ files: 99_000, pictures: 0, switched })).toBe(
    '99,000 of the 100,000 files that Cloudflare allows, 60,000 pages of products (none with PRODUCT_PAGES=off), 15,000 product feeds (none with FEEDS=off), 15,000 posters (none with POSTERS=off)',
  )
})

test('refuses only a site above the limit of the paid plan', () => {
  expect(findSurplus({ files: MOST_FILES, pictures: 0, switched: NONE })).toBeNull()
  expect(findSurplus({ files: MOST_FILES + 1, pictures: 5, switched: { ...NONE, productPages: 7 } })).toMatch(
    /^100,001 files are more .* PHOTOS=service\), 7 pages of products \(none with PRODUCT_PAGES=off\)$/,
  )
})
