/** Colours of the tokens that other files have to repeat. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { AWNING } from '../../src/site/styles/theme-color.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const tokens = read('src/site/styles/tokens.css')
const [light = '', dark = ''] = tokens.split('prefers-color-scheme: dark')

function findColour(css: string, name: string): string | undefined {
  return new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(css)?.[1]
}

it('the theme colour, the web manifest and pictures for shared links have the colours of the tokens', () => {
  const manifest = JSON.parse(read('public/manifest.webmanifest')) as Record<string, string>
  const layout = read('src/builder/pictures/draw-social.ts')
  expect({
    ...AWNING,
    theme: manifest['theme_color'],
    background: manifest['background_color'],
    awning: /awning: '(#\w+)'/.exec(layout)?.[1],
    cream: /cream: '(#\w+)'/.exec(layout)?.[1],
  }).toEqual({
    light: findColour(light, 'awning'),
    dark: findColour(dark, 'awning'),
    theme: findColour(light, 'awning'),
    background: findColour(light, 'paper'),
    awning: findColour(light, 'awning'),
    cream: findColour(light, 'on-awning'),
  })
})
