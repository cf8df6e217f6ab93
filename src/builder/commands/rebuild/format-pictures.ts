/** Formats a rebuild's report on photos. Addresses come from documents and are cleaned for the terminal. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount, formatNumber } from '../../format-numbers.ts'
import type { PicturePreparation } from '../../pictures/pictures.ts'

const SHOWN = 20

/** Returns an empty list without problems and pending pictures. */
export function formatPictures({ troubles, waiting, undrawn }: PicturePreparation): readonly string[] {
  const left = troubles.length - SHOWN
  return [
    ...(troubles.length === 0
      ? []
      : [
          `${formatCount(troubles.length, 'photo')} under the original address:`,
          ...troubles.slice(0, SHOWN).map(formatTrouble),
        ]),
    ...(left > 0 ? [`  and ${formatNumber(left)} more: npm run photos lists all`] : []),
    ...(waiting > 0 ? [`${formatCount(waiting, 'photo')} still to be made small: run npm run photos`] : []),
    ...(undrawn > 0
      ? [`${formatCount(undrawn, 'picture')} for shared links still to be drawn: run npm run photos`]
      : []),
  ]
}

function formatTrouble({ product, address, reason }: PicturePreparation['troubles'][number]): string {
  return `  ${cleanText(`cataloge/${formatId(product)}: ${address} ${reason}`)}`
}
