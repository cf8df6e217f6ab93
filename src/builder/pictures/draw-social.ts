/** Draws a picture for shared links, of a seller or of the home page. */
import type { OverlayOptions } from 'sharp'
import sharp from 'sharp'
import { SOCIAL_FOLDER } from '../../domain/photos/picture.ts'
import type { DrawnText } from './draw-text.ts'
import { cleanLetters, drawText } from './draw-text.ts'
import { hashAll } from './encode-photo.ts'
import type { StoredFile } from './photo-rows.ts'
import { JPEG } from './recipe.ts'
import type { SocialInputs, SocialPhoto, SocialTools } from './social-inputs.ts'
import { SOCIAL_SIZE } from './social-inputs.ts'

const QUALITIES = [84, 60, 40]

const COLOURS = {
  awning: '#5e0f29',
  stripe: '#701635',
  gold: '#d9ab62',
  cream: '#fbf1e4',
  soft: '#e3c3bd',
  shelf: '#f0e7dc',
}
const CENTRE = SOCIAL_SIZE.width / 2

/** All text is within the middle square, with a margin, because chats crop the picture to that square. */
const TEXT_WIDTH = SOCIAL_SIZE.height - 2 * 30

// Two tiles of a row of four are whole within the middle square.
const TILE = { top: 322, width: 270, height: 284, radius: 20 }
const GAP = 30

/** Space of the name, and the middle of the line below it. */
interface TextPlace {
  readonly top: number
  readonly height: number
  readonly below: number
}

const ABOVE_PHOTOS: TextPlace = { top: 66, height: 164, below: 281 }
const ALONE: TextPlace = { top: 120, height: 320, below: 500 }

export async function drawSocial(inputs: SocialInputs, tools: SocialTools): Promise<StoredFile> {
  const background = drawAwning(inputs.photos.map((photo) => formatPhoto(photo, tools)))
  const { data, info } = await sharp(Buffer.from(background))
    .composite(await drawTexts(inputs))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (const quality of QUALITIES) {
    const bytes = await sharp(data, { raw: info }).jpeg({ quality, mozjpeg: true }).toBuffer()
    if (bytes.length < JPEG.bytes) return { path: `${SOCIAL_FOLDER}${hashAll([bytes])}.jpg`, bytes }
  }
  throw new Error(`the picture for ${inputs.address} exceeds ${JPEG.bytes} bytes at the lowest JPEG quality`)
}

/** If no letter of the name can be drawn, the address replaces the name. */
async function drawTexts({ brand, name, address, line, photos }: SocialInputs): Promise<OverlayOptions[]> {
  const { top, height, below } = photos.length === 0 ? ALONE : ABOVE_PHOTOS
  const title = cleanLetters(name) || cleanLetters(address)
  const drawnName = await drawText([{ text: title, colour: COLOURS.cream, weight: 700 }], {
    size: 92,
    width: TEXT_WIDTH,
    height,
  })
  const drawnLine = await drawText(
    [
      { text: cleanLetters(brand), colour: COLOURS.gold, weight: 700 },
      { text: line, colour: COLOURS.soft, weight: 400 },
    ],
    { size: 30, width: TEXT_WIDTH, height: 40 },
  )
  return [placeText(drawnName, top + height / 2), placeText(drawnLine, below)]
}

function placeText({ png, width, height }: DrawnText, middle: number): OverlayOptions {
  return {
    input: Buffer.from(png),
    left: Math.round(CENTRE - width / 2),
    top: Math.round(middle - height / 2),
  }
}

/** Returns a data address. A photo that cannot be read or drawn leaves its tile empty. */
function formatPhoto({ kind, path }: SocialPhoto, { store, readPublicFile }: SocialTools): string {
  const bytes = kind === 'stored' ? store.readFile(path) : readPublicFile(path)
  const type = kind === 'stored' ? 'image/jpeg' : 'image/svg+xml'
  return `data:${type};base64,${Buffer.from(bytes ?? []).toString('base64')}`
}

/** Returns a striped awning along the upper edge, whose stripes end in a round, and a row of photos. */
function drawAwning(photos: readonly string[]): string {
  const { width, height } = SOCIAL_SIZE
  const stripe = 60
  const stripes = Array.from({ length: width / stripe }, (_, index) => {
    const fill = index % 2 === 0 ? COLOURS.cream : COLOURS.stripe
    return `<path d="M${index * stripe} 0h${stripe}v22a${stripe / 2} 22 0 0 1-${stripe} 0z" fill="${fill}"/>`
  })
  const first = CENTRE - (photos.length * (TILE.width + GAP) - GAP) / 2
  const tiles = photos.map((photo, index) => {
    const place = `x="${first + index * (TILE.width + GAP)}" y="${TILE.top}" width="${TILE.width}" height="${TILE.height}"`
    return [
      `<clipPath id="tile${index}"><rect ${place} rx="${TILE.radius}"/></clipPath>`,
      `<g clip-path="url(#tile${index})"><rect ${place} fill="${COLOURS.shelf}"/>`,
      `<image ${place} preserveAspectRatio="xMidYMid slice" href="${photo}"/></g>`,
    ].join('')
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" fill="${COLOURS.awning}"/>`,
    ...stripes,
    ...tiles,
    '</svg>',
  ].join('')
}
