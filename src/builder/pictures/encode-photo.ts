/**
 * Makes the picture files of a photo: two crops for cards and the whole photo as AVIF, and one JPEG of the whole photo,
 * which browsers without AVIF, link previews and feeds show.
 */
import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import sharp from 'sharp'
import { readMessage } from '../../domain/documents/errors.ts'
import { PHOTO_FOLDER } from '../../domain/photos/picture.ts'
import { LARGE_WIDTHS, RATIO, WIDTHS } from '../../domain/photos/picture-sizes.ts'
import { TONES } from '../../domain/photos/tones.ts'
import { PhotoError } from './fetch-photo.ts'
import type { MadePicture, StoredFile } from './photo-rows.ts'
import { AVIF, JPEG } from './recipe.ts'

const JPEG_TRIES = [1, 0.75, 0.5, 0.25].flatMap((scale) =>
  [75, 60, 45].map((quality) => ({ scale, quality })),
)

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

export interface Turn {
  readonly signal: AbortSignal
  /** Called when the photo is decoded. */
  readonly onTurn: () => void
}

/**
 * Decodes one photo at a time, because each takes much memory. Returns `null` if `signal` aborts before the photo's
 * turn, and throws its reason later. Throws a `PhotoError` if the bytes are unusable.
 */
export function encodePhoto(bytes: Uint8Array, { signal, onTurn }: Turn): Promise<MadePicture | null> {
  const turn = last.then(() => {
    if (signal.aborted) return null
    onTurn()
    return untilAborted(decodeAndEncode(bytes), signal)
  })
  last = turn.catch(() => {})
  return turn
}

/** Awaits work that cannot be cancelled, but rejects with the signal's reason as soon as the signal aborts. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  work.catch(() => {})
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}

async function decodeAndEncode(bytes: Uint8Array): Promise<MadePicture> {
  if (!isPhoto(bytes)) throw new PhotoError('is not a JPEG, PNG, WebP, GIF or AVIF picture')
  try {
    const { format, width, height } = await open(bytes, false).metadata()
    const pixels = MAX_PIXELS_OF[format] ?? MAX_PIXELS
    if (width * height > pixels)
      throw new PhotoError(`has ${width} × ${height} pixels, more than ${pixels / 1e6} million`)
    return await encode(open(bytes, pixels))
  } catch (error) {
    if (error instanceof PhotoError) throw error
    throw new PhotoError(`cannot be decoded: ${readMessage(error).split('\n')[0]}`, { cause: error })
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

interface Decoded extends Size {
  open(): Sharp
}

async function encode(photo: Sharp): Promise<MadePicture> {
  const { autoOrient, hasAlpha } = await photo.metadata()
  const available = Math.max(1, Math.floor(Math.min(autoOrient.width, autoOrient.height / RATIO)))
  const widths = chooseWidths(WIDTHS, available)
  const largest = widths.at(-1) ?? 1
  // The photo is decoded once, large enough for the whole photo and for the largest crop.
  const covering = Math.max(largest / autoOrient.width, (largest * RATIO) / autoOrient.height)
  const inside = Math.min(JPEG.width / autoOrient.width, JPEG.height / autoOrient.height)
  const scale = Math.min(1, Math.max(covering, inside))
  const size = { width: Math.ceil(autoOrient.width * scale), height: Math.ceil(autoOrient.height * scale) }
  const whole = await decode(photo.autoOrient().resize(size).toColourspace('srgb'))
  const crop = await decode(whole.open().resize(formatCrop(largest)))
  const largeWidths = chooseWidths(LARGE_WIDTHS, whole.width)
  const [jpeg, cards, large] = await Promise.all([
    encodeJpeg(whole),
    Promise.all(widths.map((width) => encodeAvif(crop.open().resize(formatCrop(width))))),
    Promise.all(largeWidths.map((width) => encodeAvif(whole.open().resize(width)))),
  ])
  const stem = PHOTO_FOLDER + hashAll([...cards, ...large, jpeg.bytes])
  const [cardFiles, largeFiles] = [nameFiles(stem, widths, cards), nameFiles(`${stem}-t`, largeWidths, large)]
  const path = `${stem}.jpg`
  const { width, height } = jpeg
  const tone = hasAlpha ? null : await findTone(crop.open())
  return {
    picture: { type: 'image/avif', sources: cardFiles.map(toSource), tone, fallback: path },
    preview: isPreview(autoOrient, jpeg) ? { path, width, height, sources: largeFiles.map(toSource) } : null,
    files: [...cardFiles, ...largeFiles, { path, bytes: jpeg.bytes }],
    stem,
  }
}

const toSource = ({ path, width }: { path: string; width: number }) => ({ path, width })

/** Returns the widths that the photo has, without enlarging it: at least one. */
function chooseWidths(widths: readonly number[], available: number): readonly number[] {
  const fitting = widths.filter((width) => width <= available)
  return fitting.length > 0 ? fitting : [available]
}

function formatCrop(width: number): Size {
  return { width, height: Math.max(1, Math.round(width * RATIO)) }
}

function encodeAvif(photo: Sharp): Promise<Uint8Array> {
  return photo.avif(AVIF).toBuffer()
}

async function encodeJpeg({
  width,
  height,
  open: openWhole,
}: Decoded): Promise<Size & Pick<StoredFile, 'bytes'>> {
  for (const { scale, quality } of JPEG_TRIES) {
    const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) }
    const photo = openWhole().resize(size).flatten({ background: '#fff' })
    const bytes = await photo.jpeg({ quality }).toBuffer()
    if (bytes.length < JPEG.bytes) return { bytes, ...size }
  }
  throw new PhotoError(`gives no JPEG below ${JPEG.bytes / 1_000} kB`)
}

/** A photo of other proportions would be cropped by chats, and one that is too small is not shown. */
function isPreview(photo: Size, jpeg: Size): boolean {
  const isLong = Math.max(photo.width, photo.height) > JPEG.ratio * Math.min(photo.width, photo.height)
  return !isLong && Math.min(jpeg.width, jpeg.height) >= JPEG.side
}

function nameFiles(
  stem: string,
  widths: readonly number[],
  files: readonly Uint8Array[],
): readonly (StoredFile & { readonly width: number })[] {
  return files.map((bytes, index) => {
    const width = widths[index] ?? 0
    return { path: `${stem}-${width}.avif`, width, bytes }
  })
}

async function decode(photo: Sharp): Promise<Decoded> {
  const { data, info } = await photo.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, open: () => sharp(data, { raw: info }) }
}

function open(bytes: Uint8Array, limitInputPixels: number | false): Sharp {
  return sharp(bytes, { limitInputPixels, failOn: 'error', pages: 1 }).timeout({ seconds: MAX_SECONDS })
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

/** Checks the first bytes and ignores name and media type, so that no SVG or other document reaches a parser. */
function isPhoto(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return /^(\xff\xd8\xff|\x89PNG\r\n|GIF8[79]a|RIFF[^]{4}WEBP|[^]{4}ftypavi[fs])/.test(start)
}

/** Returns a part of a file's name that depends on its bytes. */
export function hashAll(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex').slice(0, 20)
}
