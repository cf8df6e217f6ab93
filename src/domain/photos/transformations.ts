/**
 * Pictures that Cloudflare resizes on request, without files on the site. Source:
 * https://developers.cloudflare.com/images/transform-images/transform-via-url/
 */
import type { Picture } from './picture.ts'
import { LARGE_WIDTHS, RATIO, WIDTHS } from './picture-sizes.ts'

/** Returns a photo in the sizes of cards. `address` is on a permitted host, or is a path of the site. */
export function formatTransformations(address: string): Picture {
  return createPicture(WIDTHS, (width) =>
    formatPath(address, `width=${width},height=${width * RATIO},fit=cover`),
  )
}

/** Returns the whole photo in large sizes, for the page of its product. */
export function formatLargeTransformations(address: string): Picture {
  return createPicture(LARGE_WIDTHS, (width) => formatPath(address, `width=${width},fit=scale-down`))
}

/** Width and height of the square JPEG, in pixels. */
export const JPEG_SIDE = 1080

/** Returns the path of the whole photo as a square JPEG, enlarged if it is small. */
export function formatJpegTransformation(address: string): string {
  const square = `width=${JPEG_SIDE},height=${JPEG_SIDE},fit=pad,background=white`
  return `cdn-cgi/image/${square},format=jpeg/${formatSource(address)}`
}

function createPicture(widths: readonly number[], format: (width: number) => string): Picture {
  return { type: null, sources: widths.map((width) => ({ path: format(width), width })), tone: null }
}

function formatPath(address: string, size: string): string {
  return `cdn-cgi/image/${size},format=auto,onerror=redirect/${formatSource(address)}`
}

// Encodes commas, because a comma at the end of an address would count as a separator in a `srcset`.
function formatSource(address: string): string {
  return address.replace(/^\//, '').replaceAll(',', '%2C')
}
