/** The screenshots: each width light and dark, forced colours and zoom, and no picture over another. */
import { expect, it } from 'vitest'
import { LOOK_GROUPS } from '../../../scripts/audit/looks.ts'
import { formatTaken } from '../../../scripts/audit/screenshots.ts'
import { SCREENS } from '../../../scripts/audit/screens.ts'

const looks = LOOK_GROUPS.flatMap((group) => group.looks)

it('shows the catalogue at every width in light and dark, with forced colours and zoomed', () => {
  const widths = [320, 360, 390, 640, 660, 768, 1280, 1920].flatMap((width) => [
    `${width}-light`,
    `${width}-dark`,
  ])
  const others = ['forced-light', 'forced-dark', 'zoom-200', 'zoom-400']
  expect(looks.map(({ name }) => name).toSorted()).toEqual([...widths, ...others].toSorted())
  const sizes = looks.slice(-2).map(({ options }) => options.viewport?.width)
  expect(sizes).toEqual([640, 320])
})

it('takes pictures of existing screens only, and says which', () => {
  const names = SCREENS.map(({ name }) => name)
  expect(LOOK_GROUPS.flatMap(({ screens }) => screens ?? []).filter((name) => !names.includes(name))).toEqual(
    [],
  )
  const taken = formatTaken(LOOK_GROUPS)
  expect(taken).toMatch(
    /^home, catalogue, scrolled, filtered.*\n {2}360-light, 360-dark, 1280-light, 1280-dark\nhome, catalogue, scrolled, found\n/,
  )
  expect(taken).toMatch(/\n\d+ pictures named <screen>-<look>\.png are in /)
})
