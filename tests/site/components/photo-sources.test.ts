import { expect, test } from 'vitest'
import { NO_PHOTO } from '../../../src/domain/pages/paths.ts'
import { findListedPhoto } from '../../../src/site/components/photo-sources.ts'
import { formatTransformations } from '../../../src/domain/photos/transformations.ts'

const ADDRESS = 'https://photos.example/a.jpg'

test('a list of many sellers shows photos of listed hosts and of the site only', () => {
  expect(findListedPhoto({ photo: ADDRESS }, formatTransformations(ADDRESS))).toBe(ADDRESS)
  expect(findListedPhoto({ photo: '/fotos/a.svg' }, null)).toBe('/fotos/a.svg')
  for (const photo of [ADDRESS, 'http://photos.example/a.svg', null])
    expect(findListedPhoto({ photo }, null)).toBe(NO_PHOTO)
})
