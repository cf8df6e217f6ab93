/** Draws the bundled pictures: the sample's photos, the covers of the home page and the marks. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { BOTTLES } from './artwork/bottles.ts'
import { COVERS } from './artwork/covers.ts'
import { drawIcons } from './artwork/icons.ts'
import { drawFavicon, drawNoPhoto } from './artwork/marks.ts'
import { drawOddPhotos } from './artwork/odd-photos.ts'
import { PALETTES } from './artwork/palettes.ts'
import { drawPhoto } from './artwork/photo.ts'

/** SVG or bytes by path within the public folder. */
export type Drawings = Readonly<Record<string, string | Uint8Array>>

export const command: CommandDefinition<{ readonly folder: string }> = {
  configure: (parser) =>
    parser
      .option('--out <folder>', 'where the pictures are written', 'public')
      .addHelpText('after', formatExitCodes('done', 'usage', 'unfinished')),
  parse: ({ flags }) => ({ folder: String(flags['out']) }),
  run: async ({ folder }, { print }) => {
    const drawings = Object.entries({ ...drawSample(), ...(await drawIcons()) })
    for (const [file, content] of drawings) {
      const target = join(folder, file)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, content)
    }
    print(`${drawings.length} pictures drawn into ${folder}`)
    return { exit: EXIT.done }
  },
}

export function drawSample(): Drawings {
  const photos = BOTTLES.flatMap((bottle) =>
    PALETTES.map((palette) => [`muestra/${bottle.name}-${palette.name}.svg`, drawPhoto(bottle, palette)]),
  )
  const odd = Object.entries(drawOddPhotos()).map(([name, photo]) => [`muestra/${name}`, photo])
  const covers = Object.entries(COVERS).map(([name, draw]) => [`portadas/${name}.svg`, draw()])
  return {
    ...Object.fromEntries([...photos, ...odd, ...covers]),
    'sin-foto.svg': drawNoPhoto(),
    'favicon.svg': drawFavicon(),
  }
}
