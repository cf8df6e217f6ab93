/**
 * The text of a page in pieces. A list and the structured data are kept apart while the page is rendered, with a mark
 * in their place: the whole page as one string would be copied twice to be encoded, at two bytes a character for one
 * `’`.
 */

/** In order. Together they are the page. */
export type PageText = readonly string[]

/** Pieces of the page that is being rendered; `null` if pages are rendered as one text. */
let apart: Kept | null = null
let earlier: Promise<unknown> = Promise.resolve()

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
    const text = await render()
    const parts = text.split(new RegExp(`(<!--${mark}:\\d+-->)`))
    return parts.flatMap((part, index) => (index % 2 === 0 ? part : find(kept, part)))
  } finally {
    apart = null
  }
}

/** A mark of nothing is a text like any other. */
function find({ mark, pieces }: Kept, text: string): PageText {
  return pieces[Number(text.slice(`<!--${mark}:`.length, -'-->'.length))] ?? [text]
}

/** Returns the placeholder of these pieces in the text of the page. */
export function keepApart(pieces: PageText): string {
  return apart === null ? pieces.join('') : `<!--${apart.mark}:${apart.pieces.push(pieces) - 1}-->`
}
