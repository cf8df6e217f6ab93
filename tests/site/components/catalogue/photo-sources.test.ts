import { expect, test } from 'vitest'
import { NO_PHOTO } from '../../../../src/domain/pages/paths.ts'
import { findLarge, findListedPhoto } from '../../../../src/site/components/catalogue/photo-sources.ts'
import { formatTransformations } from '../../../../src/domain/photos/transformations.ts'

const ADDRESS = 'https://photos.example/a.jpg'

test('the photo of an old browser is the JPEG of the picture', () => {
  const picture = { type: 'image/avif', sources: [], tone: null, fallback: 'fotos/a.jpg' }
  expect(findListedPhoto({ photo: ADDRESS }, picture)).toBe('/fotos/a.jpg')
})

test('the large photo is a file of the site, and never what another host may change', () => {
  const whole = { path: 'fotos/a.jpg', width: 1080, height: 1440 }
  expect(findLarge({ photo: ADDRESS }, whole)).toBe('/fotos/a.jpg')
  expect(findLarge({ photo: '/muestra/a.svg' }, null)).toBe('/muestra/a.svg')
  for (const photo of [ADDRESS, null]) expect(findLarge({ photo }, null)).toBeNull()
})

test('a list of many sellers shows photos of listed hosts and of the site only', () => {
  expect(findListedPhoto({ photo: ADDRESS }, formatTransformations(ADDRESS))).toBe(ADDRESS)
  expect(findListedPhoto({ photo: '/fotos/a.svg' }, null)).toBe('/fotos/a.svg')
  for (const photo of [ADDRESS, 'http://photos.example/a.svg', null])
    expect(findListedPhoto({ photo }, null)).toBe(NO_PHOTO)
})
