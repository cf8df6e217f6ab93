/** The markup of a product's photo in a list, as text. */
import { escapeAttribute } from '../../domain/documents/escape.ts'
import { PHOTO_ALT } from '../../domain/messages.ts'

export interface ShownPhoto {
  /** Address of the photo for browsers that do not use `srcset`. */
  readonly src: string
  /** The photo in small sizes; empty for none. */
  readonly srcset: string
  /** Widths at which the page shows the photo; empty if `srcset` has one size. */
  readonly sizes: string
  /** MIME type of `srcset`; `null` if the edge chooses the format. */
  readonly type: string | null
  /** Index of the placeholder colour in `TONES`; `null` for none. */
  readonly tone: number | null
}

/** Returns the content of a `picture`. `loading`: more attributes, which say when the browser loads the photo. */
export function formatPhoto(photo: ShownPhoto, loading: string): string {
  const { src, srcset, tone } = photo
  const colour = tone === null ? '' : ` class="t${tone}"`
  const image = `<img${colour} src="${escapeAttribute(src)}" alt="${PHOTO_ALT}" width="400" height="500"${loading} decoding="async">`
  return srcset === '' ? image : `<source${formatSizes(photo, '')}>${image}`
}

/** Preloads a page's first photo, so that the browser requests it before it has read the styles and scripts. */
export function formatPreload(photo: ShownPhoto): string {
  const { src, srcset } = photo
  const address = srcset === '' ? ` href="${escapeAttribute(src)}"` : formatSizes(photo, 'image')
  return `<link rel="preload" as="image"${address} fetchpriority="high">`
}

function formatSizes({ type, srcset, sizes }: ShownPhoto, prefix: '' | 'image'): string {
  const format = type === null ? '' : ` type="${escapeAttribute(type)}"`
  const widths = sizes === '' ? '' : ` ${prefix}sizes="${sizes}"`
  return `${format} ${prefix}srcset="${escapeAttribute(srcset)}"${widths}`
}
