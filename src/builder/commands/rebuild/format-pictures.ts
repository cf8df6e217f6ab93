/** What a rebuild says of photos. Addresses come from documents: they are cleaned before they reach a terminal. */
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount, formatNumber } from '../../format-numbers.ts'
import type { PicturePreparation } from '../../pictures/pictures.ts'

const SHOWN = 20

/** Empty where there is nothing to say. */
export function formatPictures({ troubles, waiting, undrawn }: PicturePreparation): readonly string[] {
  const left = troubles.length - SHOWN
  return [
    ...(troubles.length === 0
      ? []
      : [
          `${formatCount(troubles.length, 'photo')} under the original address:`,
          ...troubles.slice(0, SHOWN).map(formatTrouble),
        ]),
    ...(left > 0 ? [`  and ${formatNumber(left)} more: npm run photos names them all`] : []),
    ...(waiting > 0
      ? [`${formatCount(waiting, 'photo')} still to be made small: npm run photos does it`]
      : []),
    ...(undrawn > 0
      ? [`${formatCount(undrawn, 'picture')} for shared links still to be drawn: npm run photos does it`]
      : []),
  ]
}

function formatTrouble({ product, address, reason }: PicturePreparation['troubles'][number]): string {
  return `  ${cleanText(`cataloge/${product}: ${address} ${reason}`)}`
}
