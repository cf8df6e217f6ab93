/**
 * The text of a page in pieces. The head's styles, a list and the structured data are kept apart while the page is
 * rendered, with a mark in their place: the whole page as one string would be copied twice to be encoded, at two bytes a
 * character for one `’`.
 */

/** The pieces of a page, in order. A piece that many pages have in common is encoded already. */
export type PageText = readonly (string | Uint8Array)[]

/** Pieces of the page that is being rendered; `null` if pages are rendered as one text. */
let apart: Kept | null = null
let earlier: Promise<unknown> = Promise.resolve()

const CLOSING = '-->'
const common = new Map<string, Uint8Array>()

interface Kept {
  readonly mark: string
  readonly pieces: PageText[]
}

/**
 * Renders one page after another. No text of a document may contain `mark`, which consists of random letters and
 * digits.
 */
export function renderInPieces(render: () => Promise<string>, mark: string): Promise<PageText> {
  const page = earlier.then(() => collect(render, mark))
  // Resolves to nothing, so that the page is not kept in memory.
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

/** A mark that stands for no piece is ordinary text. */
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

/** Returns the placeholder of these pieces in the text of the page. */
export function keepApart(pieces: readonly string[]): string {
  return apart === null ? pieces.join('') : keep(apart, pieces)
}

/** Returns the placeholder of a text that many pages have in common. All such texts of a process stay in memory. */
export function keepCommon(text: string): string {
  if (apart === null) return text
  const bytes = common.get(text) ?? new TextEncoder().encode(text)
  common.set(text, bytes)
  return keep(apart, [bytes])
}

function keep({ mark, pieces }: Kept, own: PageText): string {
  return `<!--${mark}:${pieces.push(own) - 1}${CLOSING}`
}
