/**
 * The text of a page in pieces. A list and the structured data are kept apart while the page is rendered, with a mark in
 * their place: the whole page as one string would be copied twice to be encoded, at two bytes a character for one `’`.
 */

/** In order. Together they are the page. */
export type PageText = readonly string[]

/** What is kept apart of the page that is being rendered; `null` where pages are rendered as one text. */
let apart: PageText[] | null = null
let earlier: Promise<unknown> = Promise.resolve()

// The text of a seller has no `<`.
const MARK = /<!--apart:(\d+)-->/

/** Renders one page after another. */
export function renderInPieces(render: () => Promise<string>): Promise<PageText> {
  const page = earlier.then(() => collect(render))
  // Without the page, so that it is not kept.
  earlier = page.then(
    () => undefined,
    () => undefined,
  )
  return page
}

async function collect(render: () => Promise<string>): Promise<PageText> {
  const kept: PageText[] = []
  apart = kept
  try {
    const text = await render()
    return text.split(MARK).flatMap((part, index) => (index % 2 === 0 ? part : find(kept, part)))
  } finally {
    apart = null
  }
}

function find(kept: readonly PageText[], number: string): PageText {
  const pieces = kept[Number(number)]
  if (pieces === undefined) throw new Error(`nothing was kept apart as number ${number}`)
  return pieces
}

/** Returns what stands for these pieces in the text of the page. */
export function keepApart(pieces: PageText): string {
  return apart === null ? pieces.join('') : `<!--apart:${apart.push(pieces) - 1}-->`
}
