/** Makes the picture files of a photo from its bytes. */
import { RATIO, WIDTHS } from '../../../domain/photos/picture-sizes.ts'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { LimitPixels } from './pixel-budget.ts'
import type { MadePreview } from './make-preview.ts'
import { isPreviewShape, makePreview } from './make-preview.ts'
import { PhotoError } from './photo-error.ts'
import { formatPhotoPath, formatPhotoStem } from './picture-names.ts'
import { AVIF } from './recipe.ts'
import { findTone } from './tones.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

export interface MadePicture {
  /** Start of the paths of its files: folder and hash of their bytes. */
  readonly stem: string
  readonly files: readonly MadeFile[]
  /** Index of the average colour in `TONES`; `null` for a photo with an alpha channel. */
  readonly tone: number | null
  /** `null` if the photo is too small or too narrow for one. */
  readonly preview: MadePreview | null
}

interface MadeFile {
  readonly path: string
  readonly width: number
  readonly bytes: Uint8Array
}

interface FormatLimit {
  /** Photos with more pixels are refused before they are decoded. */
  readonly pixels: number
  /** How many pixels of a JPEG need as much memory as one of this format. */
  readonly cost: number
}

/** Where the format is not AVIF, a million pixels take 7 MB at most: 16 bits, interlaced. */
const LIMIT: FormatLimit = { pixels: 40_000_000, cost: 1 }
const LIMITS: Readonly<Record<string, FormatLimit>> = {
  // Phones make JPEGs of up to 50 million pixels. A progressive one takes 6 MB for each million.
  jpeg: { pixels: 52_000_000, cost: 1 },
  // AVIF. It takes 18 MB and 36 ms of processor time for each million, however few its bytes are.
  heif: { pixels: 24_000_000, cost: 3 },
}

const MAX_SECONDS = 15

// Pictures are made in parallel, each in one thread, and no photo is decoded twice.
sharp.concurrency(1)
sharp.cache(false)

/** Decodes the photo within `limit`. Throws a `PhotoError`. */
export async function makePicture(bytes: Uint8Array, limit: LimitPixels): Promise<MadePicture> {
  if (!isPhoto(bytes)) throw new PhotoError('is no JPEG, PNG, WebP, GIF or AVIF picture')
  try {
    const { format, width, height } = await open(bytes, false).metadata()
    const { pixels, cost } = LIMITS[format] ?? LIMIT
    if (width * height > pixels)
      throw new PhotoError(`has ${width} × ${height} pixels, more than ${pixels / 1e6} million`)
    return await limit(width * height * cost, () => encode(open(bytes, pixels)))
  } catch (error) {
    if (error instanceof PhotoError) throw error
    throw new PhotoError(`cannot be decoded: ${readFirstLine(error)}`, { cause: error })
  }
}

async function encode(photo: Sharp): Promise<MadePicture> {
  const { autoOrient, hasAlpha } = await photo.metadata()
  const widths = chooseWidths(Math.floor(Math.min(autoOrient.width, autoOrient.height / RATIO)))
  const largest = widths.at(-1) ?? 1
  // Decoded once, whole if it has a preview: all sizes are made from this one, the smaller ones from the largest crop.
  const fit = isPreviewShape(autoOrient) ? 'outside' : 'cover'
  const whole = await decode(resize(photo.autoOrient(), largest, fit).toColourspace('srgb'))
  const largestCrop = await decode(crop(whole.open(), largest))
  const base = largestCrop.open
  const encoded = await Promise.all(
    widths.map(async (width) => ({ width, bytes: await crop(base(), width).avif(AVIF).toBuffer() })),
  )
  const stem = formatPhotoStem(encoded.map((file) => file.bytes))
  const files = encoded.map((file) => ({ ...file, path: formatPhotoPath(stem, file.width) }))
  return {
    stem,
    files,
    tone: hasAlpha ? null : await readTone(base()),
    preview: fit === 'outside' ? await makePreview(whole.open, whole) : null,
  }
}

interface Decoded {
  readonly width: number
  readonly height: number
  readonly open: () => Sharp
}

async function decode(photo: Sharp): Promise<Decoded> {
  const { data, info } = await photo.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, open: () => sharp(data, { raw: info }) }
}

function open(bytes: Uint8Array, limitInputPixels: number | false): Sharp {
  return sharp(bytes, { limitInputPixels, failOn: 'error', pages: 1 }).timeout({ seconds: MAX_SECONDS })
}

// A photo smaller than every width keeps its size and is only cropped to the ratio.
function chooseWidths(available: number): readonly number[] {
  const widths = WIDTHS.filter((width) => width <= available)
  return widths.length > 0 ? widths : [Math.max(1, available)]
}

// Crops like `object-fit: cover`. The crop of a photo that was resized to its outside is the same, byte for byte.
function crop(photo: Sharp, width: number): Sharp {
  return resize(photo, width, 'cover')
}

function resize(photo: Sharp, width: number, fit: 'cover' | 'outside'): Sharp {
  return photo.resize(width, Math.max(1, Math.round(width * RATIO)), { fit })
}

async function readTone(photo: Sharp): Promise<number> {
  const { data } = await photo
    .resize(1, 1, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const [red = 0, green = red, blue = red] = data
  return findTone([red, green, blue])
}

// Checks the first bytes and ignores name and media type, so that no SVG or other document reaches a parser.
function isPhoto(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return /^(\xff\xd8\xff|\x89PNG\r\n|GIF8[79]a|RIFF[^]{4}WEBP|[^]{4}ftypavi[fs])/.test(start)
}

function readFirstLine(error: unknown): string {
  return readMessage(error).split('\n')[0] ?? ''
}
