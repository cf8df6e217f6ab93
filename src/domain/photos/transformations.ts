/** Small pictures resized by Cloudflare, without local files. Source: https://developers.cloudflare.com/images/transform-images/transform-via-url/ */
import type { Picture } from './picture.ts'
import { RATIO, WIDTHS } from './picture-sizes.ts'

/** `address` is a photo on a permitted host, or a path of the site. */
export function formatTransformations(address: string): Picture {
  const sources = WIDTHS.map((width) => ({ path: formatPath(address, width), width }))
  return { type: null, sources, tone: null }
}

function formatPath(address: string, width: number): string {
  const options = `width=${width},height=${width * RATIO},fit=cover,format=auto,onerror=redirect`
  // In a `srcset`, a comma at its end would end the address.
  return `cdn-cgi/image/${options}/${address.replace(/^\//, '').replaceAll(',', '%2C')}`
}
