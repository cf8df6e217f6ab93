/**
 * Makes the picture files of a photo: two crops for cards and the whole photo as AVIF, and one JPEG of the whole photo,
 * which browsers without AVIF, link previews and feeds show.
 */
import type { Metadata, OutputInfo, Sharp } from 'sharp'
import sharp from 'sharp'
import { readMessage } from '../../domain/documents/errors.ts'
import type { PictureSource } from '../../domain/photos/picture.ts'
import { PHOTO_FOLDER } from '../../domain/photos/picture.ts'
import { LARGE_WIDTHS, RATIO, WIDTHS } from '../../domain/photos/picture-sizes.ts'
import { TONES } from '../../domain/photos/tones.ts'
import { hashBytes } from '../files/file-hashes.ts'
import { PhotoError } from './fetch-photo.ts'
import type { MadePicture, StoredFile } from './photo-rows.ts'

// Measured on photos of 12 megapixels. Effort 2 takes twice the time of effort 1 for the same size. Quality 50 takes
// 30 % more bytes than 45, with no visible difference on cards.
const AVIF = { quality: 45, effort: 1 }

/** Chats show pictures below 300 kB, with sides of at least 300 pixels, uncropped up to four times as long as wide. */
const JPEG = { width: 1_080, height: 1_440, bytes: 300_000, side: 300, ratio: 4 }

/** Stored with each picture; one of another recipe is made again. Raise `version` when the code changes pictures. */
export const RECIPE = JSON.stringify({ version: 3, WIDTHS, LARGE_WIDTHS, RATIO, AVIF, JPEG })

const SCALES = [1, 0.75, 0.5, 0.25]
const QUALITIES = [75, 60, 45]

/** Photos with more pixels are refused before they are decoded. Formats that are decoded whole have a lower limit. */
const MAX_PIXELS = 24_000_000
const MAX_PIXELS_OF: Readonly<Record<string, number>> = {
  // Phones make JPEGs of up to 50 million pixels.
  jpeg: 52_000_000,
  // sharp's name for AVIF. Even a small file takes 18 MB of memory per million pixels.
  heif: 12_000_000,
}

const MAX_SECONDS = 15

// The files of one picture are made in parallel. No cache, because no photo is decoded twice.
sharp.concurrency(1)
sharp.cache(false)

let last: Promise<unknown> = Promise.resolve()

/** Decodes one photo at a time, because each takes much memory. Throws a `PhotoError` if the bytes are unusable. */
export function encodePhoto(bytes: Uint8Array): Promise<MadePicture> {
  const turn = last.then(() => decodeAndEncode(bytes))
  last = turn.catch(() => {})
  return turn
}

async function decodeAndEncode(bytes: Uint8Array): Promise<MadePicture> {
  if (!isPhoto(bytes)) throw new PhotoError('is not a JPEG, PNG, WebP, GIF or AVIF picture')
  const photo = sharp(bytes, { limitInputPixels: false, failOn: 'error', pages: 1 })
  try {
    const metadata = await photo.timeout({ seconds: MAX_SECONDS }).metadata()
    const { format, width, height } = metadata
    const pixels = MAX_PIXELS_OF[format] ?? MAX_PIXELS
    if (width * height > pixels)
      throw new PhotoError(`has ${width} × ${height} pixels, more than ${pixels / 1e6} million`)
    return await encode(photo, metadata)
  } catch (error) {
    if (error instanceof PhotoError) throw error
    throw new PhotoError(`cannot be decoded: ${readMessage(error).split('\n')[0]}`, { cause: error })
  }
}

/** Checks the first bytes and ignores name and media type, so that no SVG or other document reaches a parser. */
function isPhoto(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return /^(\xff\xd8\xff|\x89PNG\r\n|GIF8[79]a|RIFF[^]{4}WEBP|[^]{4}ftypavi[fs])/.test(start)
}

type Size = Pick<OutputInfo, 'width' | 'height'>

/** Bytes with their size: of a file, or pixels. */
interface Encoded {
  readonly data: Buffer
  readonly info: OutputInfo
}

async function encode(photo: Sharp, { autoOrient, hasAlpha }: Metadata): Promise<MadePicture> {
  const available = Math.max(1, Math.floor(Math.min(autoOrient.width, autoOrient.height / RATIO)))
  const widths = chooseWidths(WIDTHS, available)
  const largest = widths.at(-1) ?? 1
  // The photo is decoded once, large enough for the whole photo and for the largest crop.
  const covering = Math.max(largest / autoOrient.width, (largest * RATIO) / autoOrient.height)
  const inside = Math.min(JPEG.width / autoOrient.width, JPEG.height / autoOrient.height)
  const size = scaleSize(autoOrient, Math.min(1, Math.max(covering, inside)))
  const whole = await decode(photo.autoOrient().resize(size).toColourspace('srgb'))
  const crop = await decode(open(whole).resize(formatCrop(largest)))
  const largeWidths = chooseWidths(LARGE_WIDTHS, whole.info.width)
  const [jpeg, cards, large] = await Promise.all([
    encodeJpeg(whole),
    Promise.all(widths.map((width) => encodeAvif(open(crop).resize(formatCrop(width))))),
    Promise.all(largeWidths.map((width) => encodeAvif(open(whole).resize(width)))),
  ])
  const contents = [...cards, ...large, jpeg].map(({ data }) => data)
  const stem = PHOTO_FOLDER + hashBytes(Buffer.concat(contents)).slice(0, 20)
  const [cardFiles, largeFiles] = [nameFiles(stem, cards), nameFiles(`${stem}-t`, large)]
  const path = `${stem}.jpg`
  const { width, height } = jpeg.info
  const tone = hasAlpha ? null : await findTone(open(crop))
  return {
    picture: { type: 'image/avif', sources: cardFiles.map(toSource), tone, fallback: path },
    preview: isPreview(autoOrient, jpeg.info)
      ? { path, width, height, sources: largeFiles.map(toSource) }
      : null,
    files: [...cardFiles, ...largeFiles, { path, bytes: jpeg.data }],
    stem,
  }
}

/** Returns the widths that the photo has, without enlarging it: at least one. */
function chooseWidths(widths: readonly number[], available: number): readonly number[] {
  const fitting = widths.filter((width) => width <= available)
  return fitting.length > 0 ? fitting : [available]
}

function formatCrop(width: number): Size {
  return { width, height: Math.max(1, Math.round(width * RATIO)) }
}

function scaleSize({ width, height }: Size, scale: number): Size {
  return { width: Math.ceil(width * scale), height: Math.ceil(height * scale) }
}

function decode(photo: Sharp): Promise<Encoded> {
  return photo.raw().toBuffer({ resolveWithObject: true })
}

function open({ data, info }: Encoded): Sharp {
  return sharp(data, { raw: info })
}

function encodeAvif(photo: Sharp): Promise<Encoded> {
  return photo.avif(AVIF).toBuffer({ resolveWithObject: true })
}

async function encodeJpeg(whole: Encoded): Promise<Encoded> {
  for (const scale of SCALES)
    for (const quality of QUALITIES) {
      const photo = open(whole).resize(scaleSize(whole.info, scale)).flatten({ background: '#fff' })
      const jpeg = await photo.jpeg({ quality }).toBuffer({ resolveWithObject: true })
      if (jpeg.data.length < JPEG.bytes) return jpeg
    }
  throw new PhotoError(`gives no JPEG below ${JPEG.bytes / 1_000} kB`)
}

function nameFiles(stem: string, files: readonly Encoded[]): readonly (PictureSource & StoredFile)[] {
  return files.map(({ data: bytes, info: { width } }) => ({ path: `${stem}-${width}.avif`, width, bytes }))
}

const toSource = ({ path, width }: PictureSource): PictureSource => ({ path, width })

/** A photo of other proportions would be cropped by chats, and one that is too small is not shown. */
function isPreview(photo: Size, jpeg: Size): boolean {
  const isLong = Math.max(photo.width, photo.height) > JPEG.ratio * Math.min(photo.width, photo.height)
  return !isLong && Math.min(jpeg.width, jpeg.height) >= JPEG.side
}

/** Returns the index of the nearest tone. Source: https://www.compuphase.com/cmetric.htm */
async function findTone(photo: Sharp): Promise<number> {
  const pixel = await photo.resize(1, 1, { fit: 'fill', kernel: 'linear' }).raw().toBuffer()
  const [red = 0, green = red, blue = red] = pixel
  const distances = TONES.map((tone) => {
    const [r = 0, g = 0, b = 0] = Buffer.from(tone.slice(1), 'hex')
    const mean = (red + r) / 2
    return (
      (2 + mean / 256) * (r - red) ** 2 + 4 * (g - green) ** 2 + (2 + (255 - mean) / 256) * (b - blue) ** 2
    )
  })
  return distances.indexOf(Math.min(...distances))
}
