import { expect, test } from 'vitest'
import { findLarge } from '../../../../src/site/components/catalogue/photo-sources.ts'

const ADDRESS = 'https://photos.example/a.jpg'

test('the large photo is a file of the site, and never what another host may change', () => {
  const whole = { path: 'fotos/a.jpg', width: 1080, height: 1440 }
  expect(findLarge({ photo: ADDRESS }, whole)).toBe('/fotos/a.jpg')
  expect(findLarge({ photo: '/muestra/a.svg' }, null)).toBe('/muestra/a.svg')
  for (const photo of [ADDRESS, null]) expect(findLarge({ photo }, null)).toBeNull()
})
