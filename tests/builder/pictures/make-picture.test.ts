import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { encodePhoto } from '../../../src/builder/pictures/encode-photo.ts'
import { PhotoError } from '../../../src/builder/pictures/fetch-photo.ts'
import { TONES } from '../../../src/domain/photos/tones.ts'
import { createPhoto } from './photo-host.ts'

const readSizes = async (bytes: Uint8Array) =>
  Promise.all(
    (await encodePhoto(bytes)).files.map(async (file) => {
      const { format, compression = '', width, height } = await sharp(file.bytes).metadata()
      return `${format} ${compression} ${width}x${height}`
    }),
  )

/** Changes the header of a small square photo: it claims this width and height. */
function claimSide(photo: Uint8Array, side: number): Uint8Array {
  const bytes = Buffer.from(photo)
  const set = { 0x89: setPng, 0xff: setJpeg, 0x47: setGif, 0x52: setWebp }[bytes[0] ?? 0] ?? setAvif
  set(bytes, side)
  return bytes
}

function setPng(bytes: Buffer, side: number): void {
  for (const at of [16, 20]) bytes.writeUInt32BE(side, at)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
}

function setJpeg(bytes: Buffer, side: number): void {
  const frame = bytes.indexOf(Buffer.of(0xff, 0xc0))
  for (const at of [5, 7]) bytes.writeUInt16BE(side, frame + at)
}

function setGif(bytes: Buffer, side: number): void {
  const image = bytes.indexOf(Buffer.of(0x2c, 0, 0, 0, 0))
  for (const at of [6, 8, image + 5, image + 7]) bytes.writeUInt16LE(side, at)
}

function setWebp(bytes: Buffer, side: number): void {
  for (const at of [26, 28]) bytes.writeUInt16LE(side, at)
}

function setAvif(bytes: Buffer, side: number): void {
  const box = bytes.indexOf('ispe')
  for (const at of [8, 12]) bytes.writeUInt32BE(side, box + at)
}

describe('a picture', () => {
  it('has two crops of one ratio, the whole photo, and its JPEG, named by the hash of their content', async () => {
    const photo = await createPhoto('#884422', 1600, 1200)
    expect(await readSizes(photo)).toEqual([
      'heif av1 344x430',
      'heif av1 496x620',
      'heif av1 1080x810',
      'jpeg  1080x810',
    ])
    const made = await encodePhoto(photo)
    const stem = made.picture.fallback?.replace('.jpg', '')
    expect(made.files.map(({ path }) => path)).toEqual([
      `${stem}-344.avif`,
      `${stem}-496.avif`,
      `${stem}-t-1080.avif`,
      `${stem}.jpg`,
    ])
    expect(made.picture.sources).toEqual(
      [344, 496].map((width) => ({ path: `${stem}-${width}.avif`, width })),
    )
    expect(await encodePhoto(photo)).toEqual(made)
    expect((await encodePhoto(await createPhoto('#884423', 1600, 1200))).picture).not.toEqual(made.picture)
  })

  it('is never larger than its photo', async () => {
    expect(await readSizes(await createPhoto('#000000', 200, 900))).toEqual([
      'heif av1 200x250',
      'heif av1 200x900',
      'jpeg  200x900',
    ])
    expect(await readSizes(await createPhoto('#000000', 1, 1))).toEqual([
      'heif av1 1x1',
      'heif av1 1x1',
      'jpeg  1x1',
    ])
    expect(await readSizes(await createPhoto('#000000', 400, 500))).toEqual([
      'heif av1 344x430',
      'heif av1 400x500',
      'jpeg  400x500',
    ])
  })

  it('is upright for every orientation of the camera', async () => {
    const halves = await sharp({ create: { width: 800, height: 1000, channels: 3, background: '#ff0000' } })
      .composite([
        {
          input: { create: { width: 800, height: 500, channels: 3, background: '#0000ff' } },
          gravity: 'south',
        },
      ])
      .jpeg()
      .toBuffer()
    // Rotated by 90 degrees, with the EXIF orientation that reverses it.
    const turned = await sharp(halves).rotate(90).jpeg().withMetadata({ orientation: 8 }).toBuffer()
    const [file] = (await encodePhoto(turned)).files
    const { data } = await sharp(file?.bytes)
      .extract({ left: 160, top: 20, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(data[0]).toBeGreaterThan(200)
    expect(data[2]).toBeLessThan(60)
  })

  it('has no metadata about the place and the camera of its photo', async () => {
    const photo = await sharp(await createPhoto('#808080'))
      .withExif({ IFD0: { Make: 'SecretCamera' } })
      .toBuffer()
    const { files } = await encodePhoto(photo)
    expect(files).toHaveLength(4)
    for (const { bytes } of files) expect(Buffer.from(bytes).includes('SecretCamera')).toBe(false)
  })

  it('has the nearest tone, unless it has an alpha channel', async () => {
    expect((await encodePhoto(await createPhoto('#9c3b45'))).picture.tone).toBe(TONES.indexOf('#9c3b45'))
    const clear = sharp({ create: { width: 500, height: 500, channels: 4, background: '#ff000080' } })
    expect((await encodePhoto(await clear.png().toBuffer())).picture.tone).toBeNull()
  })

  it('is made from the first frame of an animation', async () => {
    const frames = sharp({ create: { width: 100, height: 250, channels: 3, background: '#00ff00' } })
    expect(await readSizes(await frames.gif().toBuffer())).toEqual([
      'heif av1 100x125',
      'heif av1 100x250',
      'jpeg  100x250',
    ])
  })

  it.each([
    ['heif', 3464],
    ['jpeg', 7211],
    ['png', 4898],
    ['gif', 4898],
    ['webp', 4898],
  ] as const)('of a %s has at most %i pixels a side', async (format, side) => {
    const small = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#884422' } })
      .toFormat(format === 'heif' ? 'avif' : format)
      .toBuffer()
    const result = await encodePhoto(claimSide(small, side)).then(() => 'made', String)
    expect(result).toMatch(/made|cannot be decoded/)
    await expect(encodePhoto(claimSide(small, side + 2))).rejects.toThrow(
      /^has \d{4} × \d{4} pixels, more than \d\d million$/,
    )
  })

  it('is never made from half a photo', async () => {
    const photo = await createPhoto('#123456')
    await expect(encodePhoto(photo.subarray(0, photo.length / 2))).rejects.toThrow('cannot be decoded')
  })

  it('is never made from a drawing, a document or an empty file', async () => {
    for (const text of [
      '',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '%PDF-1.7',
      'GIF',
      '\u0000'.repeat(99),
    ])
      await expect(encodePhoto(Buffer.from(text))).rejects.toThrow(PhotoError)
  })
})

describe('the preview of a photo', () => {
  const readPreview = async (bytes: Uint8Array) => {
    const { preview, files } = await encodePhoto(bytes)
    const file = files.at(-1)
    return (
      preview && {
        ...preview,
        sources: preview.sources ?? [],
        bytes: file?.bytes,
        ...(await sharp(file?.bytes).metadata()),
      }
    )
  }

  it.each([
    [1600, 1200, 1080, 810, '1080'],
    [3000, 4000, 1080, 1440, '1080'],
    [900, 1200, 900, 1200, '900'],
    [400, 500, 400, 500, '400'],
    [300, 300, 300, 300, '300'],
    [2400, 600, 1720, 430, '1080'],
    [310, 1240, 310, 1240, '310'],
  ])(
    'of %i × %i pixels is a JPEG of the whole photo of %i × %i, and AVIF %s wide',
    async (width, height, ...made) => {
      const photo = await createPhoto('#884422', width, height)
      const preview = await readPreview(photo)
      expect(preview).toMatchObject({ format: 'jpeg', width: made[0], height: made[1] })
      expect(preview?.path).toMatch(/^fotos\/[\da-f]{20}\.jpg$/)
      expect(preview?.sources.map((one) => one.width).join(' ')).toBe(made[2])
      const large = (await encodePhoto(photo)).files.at(-2)
      expect(await sharp(large?.bytes).metadata()).toMatchObject({
        compression: 'av1',
        width: preview?.sources.at(-1)?.width,
      })
    },
  )

  it.each([
    [299, 900, 'too small'],
    [1100, 299, 'too small'],
    [2401, 600, 'too narrow'],
    [400, 1601, 'too narrow'],
    [1, 1, 'too small'],
  ])('of %i × %i pixels is none: it is %s', async (width, height) => {
    expect(await readPreview(await createPhoto('#884422', width, height))).toBeNull()
  })

  it('is white where the photo is transparent', async () => {
    const clear = sharp({ create: { width: 500, height: 500, channels: 4, background: '#ff000000' } })
    const preview = await readPreview(await clear.png().toBuffer())
    const { data } = await sharp(preview?.bytes).raw().toBuffer({ resolveWithObject: true })
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255])
  })

  it('has less than 300 kB, in a lower quality or size if it must', async () => {
    const noise = (width: number, height: number) =>
      sharp({
        create: {
          width,
          height,
          channels: 3,
          background: '#000',
          noise: { type: 'gaussian', mean: 128, sigma: 90 },
        },
      })
        .png({ compressionLevel: 1 })
        .toBuffer()
    for (const [width, height] of [
      [900, 700],
      [2400, 600],
    ] as const) {
      const preview = await readPreview(await noise(width, height))
      expect(preview?.bytes?.length).toBeLessThan(300_000)
      expect(Math.min(preview?.width ?? 0, preview?.height ?? 0)).toBeGreaterThanOrEqual(300)
    }
  })
})
