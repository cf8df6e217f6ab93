/** The covers of the four home cards, by file name. */
import { drawDress } from './cover-dress.ts'
import { drawHat } from './cover-hat.ts'
import { drawMouse } from './cover-mouse.ts'
import { drawPerfume } from './cover-perfume.ts'

export const COVERS: Readonly<Record<string, () => string>> = {
  mouse: drawMouse,
  dress: drawDress,
  perfume: drawPerfume,
  hat: drawHat,
}
