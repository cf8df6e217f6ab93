/** Splits words that are written together: `tomford` into `tom` and `ford`. */
const SHORTEST_JOINED = 5
const LONGEST_JOINED = 24
const SHORTEST_PIECE = 2
const MOST_PIECES = 4
/** Min letters of each of the two pieces of a word if one of them may be misspelt. */
const SHORTEST_NEAR = 3
/**
 * Max letters of a word that is split into a known piece and a misspelt one. The limit is low, because hundreds of
 * texts that are one letter apart from the misspelt piece are looked up.
 */
const LONGEST_NEAR = 16
/** Max splits of a word that are used. A word has more splits only if names in the index contain fragments of words. */
const MOST_SPLITS = 8

/** The only one-letter words into which a joined word may be split: elided words, as in `l'interdit` and `j'adore`. */
const ELIDED = /^[djl]$/
const LETTERS = /^\p{L}+$/u

/** Returns whether a word of a query may be several words written together. */
export function isSplittable(word: string): boolean {
  return word.length >= SHORTEST_JOINED && word.length <= LONGEST_JOINED && LETTERS.test(word)
}

/**
 * Returns splits of a word into several known words, at most `MOST_SPLITS`. The max number of pieces grows with the
 * length of the word, so that a short word is not split into tiny ones.
 */
export function splitWord(word: string, isKnown: (piece: string) => boolean): readonly (readonly string[])[] {
  if (!isSplittable(word)) return []
  const most = Math.min(MOST_PIECES, Math.floor((word.length + 1) / 3))
  return [...split(word, most, isKnown)].filter((pieces) => pieces.length > 1).slice(0, MOST_SPLITS)
}

/** Two pieces of a word: a known one, and one that may be misspelt. */
interface NearSplit {
  readonly known: string
  readonly other: string
}

/**
 * Returns splits of a word into a known piece and one that may be misspelt: `girl` and `god` for `godgirl`, meant as
 * `goodgirl`. At most `MOST_SPLITS`, because each costs hundreds of look-ups.
 */
export function splitNear(word: string, isKnown: (piece: string) => boolean): readonly NearSplit[] {
  if (!isSplittable(word) || word.length > LONGEST_NEAR) return []
  const splits: NearSplit[] = []
  for (let end = SHORTEST_NEAR; end <= word.length - SHORTEST_NEAR; end += 1) {
    const [before, after] = [word.slice(0, end), word.slice(end)]
    if (isKnown(before)) splits.push({ known: before, other: after })
    if (isKnown(after)) splits.push({ known: after, other: before })
  }
  return splits.slice(0, MOST_SPLITS)
}

function* split(
  rest: string,
  most: number,
  isKnown: (piece: string) => boolean,
): Generator<readonly string[]> {
  if (most === 0) return
  if (isPiece(rest) && isKnown(rest)) yield [rest]
  for (let end = 1; end < rest.length; end += 1) {
    const piece = rest.slice(0, end)
    if (!isPiece(piece) || !isKnown(piece)) continue
    for (const others of split(rest.slice(end), most - 1, isKnown)) yield [piece, ...others]
  }
}

function isPiece(piece: string): boolean {
  return piece.length >= SHORTEST_PIECE || ELIDED.test(piece)
}
