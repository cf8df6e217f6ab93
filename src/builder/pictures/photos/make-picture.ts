/** Makes the picture files of a photo from its bytes. */
import { RATIO, WIDTHS } from '../../../domain/photos/picture-sizes.ts'
import type { Picture } from '../../../domain/photos/picture.ts'
import type { StoredFile } from '../store/photo-store.ts'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { LimitPixels } from './pixel-budget.ts'
import type { MadePreview, PhotoSize } from './make-preview.ts'
import { isPreviewShape, makePreview } from './make-preview.ts'
import { PhotoError } from './photo-error.ts'
import { encodeSizes, nameSizes } from './encode-sizes.ts'
import { formatFallbackPath, formatPhotoStem } from './picture-names.ts'
import { FALLBACK, PREVIEW } from './recipe.ts'
import { findTone } from './find-tone.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

interface MadePicture {
  readonly picture: Picture
  readonly files: readonly StoredFile[]
  /** `null` if no preview was requested, or if the photo cannot have one within the limits of `PREVIEW`. */
  readonly preview: MadePreview | null
}

interface FormatLimit {
  /** Photos with more pixels are refused before they are decoded. */
  readonly pixels: number
  /** Memory that a pixel of this format takes, as a multiple of the memory that a pixel of a JPEG takes. */
  readonly cost: number
}

/** Limit for formats that are not in `LIMITS`. At worst (16 bits, interlaced) a million pixels take 7 MB of memory. */
const LIMIT: FormatLimit = { pixels: 40_000_000, cost: 1 }
const LIMITS: Readonly<Record<string, FormatLimit>> = {
  // Phones make JPEGs of up to 50 million pixels. A progressive JPEG takes 6 MB of memory per million pixels.
  jpeg: { pixels: 52_000_000, cost: 1 },
  // sharp's name for AVIF. Even a small file takes 18 MB of memory and 36 ms of processor time per million pixels.
  heif: { pixels: 24_000_000, cost: 3 },
}

const MAX_SECONDS = 15

// One thread per picture, because several pictures are made in parallel. No cache, because no photo is decoded twice.
sharp.concurrency(1)
sharp.cache(false)

/** Decodes the photo once `limit` has room for its pixels. Throws a `PhotoError` if the bytes are unusable. */
export async function makePicture(
  bytes: Uint8Array,
  limit: LimitPixels,
  makesPreview: boolean,
): Promise<MadePicture> {
  if (!isPhoto(bytes)) throw new PhotoError('is not a JPEG, PNG, WebP, GIF or AVIF picture')
  try {
    const { format, width, height } = await open(bytes, false).metadata()
    const { pixels, cost } = LIMITS[format] ?? LIMIT
    if (width * height > pixels)
      throw new PhotoError(`has ${width} × ${height} pixels, more than ${pixels / 1e6} million`)
    return await limit(width * height * cost, () => encode(open(bytes, pixels), makesPreview))
  } catch (error) {
    if (error instanceof PhotoError) throw error
    throw new PhotoError(`cannot be decoded: ${readFirstLine(error)}`, { cause: error })
  }
}

async function encode(photo: Sharp, makesPreview: boolean): Promise<MadePicture> {
  const { autoOrient, hasAlpha } = await photo.metadata()
  const widths = chooseWidths(Math.floor(Math.min(autoOrient.width, autoOrient.height / RATIO)))
  const largest = widths.at(-1) ?? 1
  const hasPreview = isPreviewShape(autoOrient)
  // The photo is decoded once, at this size. The preview and the largest crop are made from it, the smaller crops from
  // the largest one.
  const size = hasPreview ? chooseSize(autoOrient, largest) : formatCrop(largest)
  const whole = await decode(photo.autoOrient().resize(size).toColourspace('srgb'))
  const { open: openCrop } = await decode(crop(whole.open(), largest))
  const tone = hasAlpha ? null : await readTone(openCrop())
  return {
    ...(await makeCrops(openCrop, widths, tone)),
    preview: hasPreview && makesPreview ? await makePreview(whole.open, whole) : null,
  }
}

async function makeCrops(
  openCrop: () => Sharp,
  widths: readonly number[],
  tone: number | null,
): Promise<Pick<MadePicture, 'picture' | 'files'>> {
  const [smallest = 1] = widths
  const [sizes, jpeg] = await Promise.all([
    encodeSizes(widths, (width) => crop(openCrop(), width)),
    crop(openCrop(), smallest).flatten({ background: '#fff' }).jpeg(FALLBACK).toBuffer(),
  ])
  const stem = formatPhotoStem([...sizes.map(({ bytes }) => bytes), jpeg])
  const { sources, files } = nameSizes(stem, sizes)
  const fallback = formatFallbackPath(stem)
  return {
    picture: { type: 'image/avif', sources, tone, fallback },
    files: [...files, { path: fallback, bytes: jpeg }],
  }
}

interface Decoded extends PhotoSize {
  readonly open: () => Sharp
}

async function decode(photo: Sharp): Promise<Decoded> {
  const { data, info } = await photo.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, open: () => sharp(data, { raw: info }) }
}

function open(bytes: Uint8Array, limitInputPixels: number | false): Sharp {
  return sharp(bytes, { limitInputPixels, failOn: 'error', pages: 1 }).timeout({ seconds: MAX_SECONDS })
}

// Returns the widths of the crops: each width of `WIDTHS` up to `available`, or only `available` if all are larger.
// `available` is the width of the largest crop that fits into the photo.
function chooseWidths(available: number): readonly number[] {
  const widths = WIDTHS.filter((width) => width <= available)
  return widths.length > 0 ? widths : [Math.max(1, available)]
}

/** Returns the size at which to decode the whole photo: large enough for its preview and for its largest crop. */
function chooseSize({ width, height }: PhotoSize, largest: number): PhotoSize {
  const least = formatCrop(largest)
  const covering = Math.max(least.width / width, least.height / height)
  const inside = Math.min(PREVIEW.width / width, PREVIEW.height / height)
  const scale = Math.min(1, Math.max(covering, inside))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

// Scales and crops like `object-fit: cover`.
function crop(photo: Sharp, width: number): Sharp {
  return photo.resize(formatCrop(width))
}

function formatCrop(width: number): PhotoSize {
  return { width, height: Math.max(1, Math.round(width * RATIO)) }
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
