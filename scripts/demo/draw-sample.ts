/** Draws every bundled picture into `public/`: the sample photos, the home covers and the marks. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BOTTLES } from './artwork/bottles.ts'
import { COVERS } from './artwork/covers.ts'
import { drawFavicon, drawNoPhoto } from './artwork/marks.ts'
import { PALETTES } from './artwork/palettes.ts'
import { drawPhoto } from './artwork/photo.ts'

type Picture = readonly [file: string, content: string]

const PUBLIC_FOLDER = fileURLToPath(new URL('../../public/', import.meta.url))

const photos = (): Picture[] =>
  BOTTLES.flatMap((bottle) =>
    PALETTES.map((palette): Picture => [
      `muestra/${bottle.name}-${palette.name}.svg`,
      drawPhoto(bottle, palette),
    ]),
  )

const covers = (): Picture[] =>
  Object.entries(COVERS).map(([name, draw]): Picture => [`portadas/${name}.svg`, draw()])

const marks = (): Picture[] => [
  ['sin-foto.svg', drawNoPhoto()],
  ['favicon.svg', drawFavicon()],
]

function save([file, content]: Picture): void {
  const target = join(PUBLIC_FOLDER, file)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, content)
}

const pictures = [...photos(), ...covers(), ...marks()]
pictures.forEach(save)
console.log(`${pictures.length} pictures drawn into ${PUBLIC_FOLDER}`)
