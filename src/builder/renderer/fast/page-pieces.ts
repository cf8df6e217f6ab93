/**
 * Keeps the text of a page in pieces. While a page is rendered, its large parts (such as the head, lists and structured
 * data) are kept apart, and marks take their place. As one string, the whole page would be copied twice to encode it,
 * with two bytes per character if it contains even one character outside Latin-1, such as `’`.
 */

/** The pieces of a page, in order. A piece that many pages share is already encoded. */
export type PageText = readonly (string | Uint8Array)[]

/** Pieces kept apart from the page that is being rendered; `null` while no page is rendered in pieces. */
let apart: Kept | null = null
let earlier: Promise<unknown> = Promise.resolve()

const CLOSING = '-->'
const common = new Map<string, Uint8Array>()

interface Kept {
  readonly mark: string
  readonly pieces: PageText[]
}

/**
 * Renders one page after another, even if it is called several times at once. `mark` must consist of random characters,
 * so that no text of a document contains it.
 */
export function renderInPieces(render: () => Promise<string>, mark: string): Promise<PageText> {
  const page = earlier.then(() => collect(render, mark))
  // Resolves to `undefined`, so that the page is not kept in memory.
  earlier = page.then(
    () => undefined,
    () => undefined,
  )
  return page
}

async function collect(render: () => Promise<string>, mark: string): Promise<PageText> {
  const kept: Kept = { mark, pieces: [] }
  apart = kept
  try {
    return putBack(kept, await render())
  } finally {
    apart = null
  }
}

/** Replaces each mark by its pieces. Text that looks like a mark but has no pieces stays as it is. */
function putBack({ mark, pieces }: Kept, text: string): PageText {
  const opening = `<!--${mark}:`
  const parts: (string | Uint8Array)[] = []
  let end = 0
  for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, start + 1)) {
    const close = text.indexOf(CLOSING, start)
    const found = close === -1 ? undefined : pieces[Number(text.slice(start + opening.length, close))]
    if (found === undefined) continue
    parts.push(text.slice(end, start), ...found)
    end = close + CLOSING.length
  }
  return [...parts, text.slice(end)]
}

/**
 * Keeps pieces apart and returns a mark for their place. If pages are rendered as one text, returns the joined pieces
 * instead.
 */
export function keepApart(pieces: readonly string[]): string {
  return apart === null ? pieces.join('') : keep(apart, pieces)
}

/**
 * Like `keepApart`, for a text that many pages share. While pages are rendered in pieces, each of these texts is
 * encoded once and stays in memory until the thread ends.
 */
export function keepCommon(text: string): string {
  if (apart === null) return text
  const bytes = common.get(text) ?? new TextEncoder().encode(text)
  common.set(text, bytes)
  return keep(apart, [bytes])
}

/** Astro recognizes markup by this symbol, and does not escape it. */
export const HTML = Symbol.for('astro:html-string')

/** Markup that many pages have in common, such as an inline script. */
export class CommonMarkup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get [HTML](): true {
    return true
  }

  toString(): string {
    return keepCommon(this.#text)
  }
}

function keep({ mark, pieces }: Kept, own: PageText): string {
  return `<!--${mark}:${pieces.push(own) - 1}${CLOSING}`
}
