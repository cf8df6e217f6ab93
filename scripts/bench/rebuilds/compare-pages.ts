/**
 * Compares another generator's catalogue pages with those of this project, because times are comparable only if the
 * pages are alike.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'

export interface Likeness {
  /** Number of compared pages. */
  readonly compared: number
  readonly sameText: number
  readonly sameBytes: number
  /** Bytes of the other generator's pages divided by the bytes of this project's pages. */
  readonly size: number
}

const COMPARED = 200

/** Compares a sample of the pages in two folders of catalogue pages. */
export function comparePages(ours: string, theirs: string): Likeness {
  const names = readdirSync(ours)
  const step = Math.max(1, Math.floor(names.length / COMPARED))
  const pairs = names
    .filter((_, index) => index % step === 0)
    .map((name) => ({ our: readText(join(ours, name)), their: readText(join(theirs, name)) }))
  const count = (choose: (pair: { our: string; their: string }) => boolean): number =>
    pairs.filter(choose).length
  const measure = (texts: readonly string[]): number =>
    texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return {
    compared: pairs.length,
    sameText: count(({ our, their }) => findText(our) === findText(their)),
    sameBytes: count(({ our, their }) => our === their),
    size: measure(pairs.map(({ their }) => their)) / measure(pairs.map(({ our }) => our)),
  }
}

// Returns an empty text for a missing page.
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** Returns the text outside scripts and styles, with the values of `href` and `src`. */
function findText(html: string): string {
  const found: string[] = []
  let hidden = 0
  const parser = new Parser({
    onopentag: (name, { href, src }) => {
      if (name === 'script' || name === 'style') hidden += 1
      else found.push(...[href ?? '', src ?? ''].filter((address) => address !== ''))
    },
    ontext: (text) => {
      if (hidden === 0) found.push(text)
    },
    onclosetag: (name) => {
      if (name === 'script' || name === 'style') hidden -= 1
    },
  })
  parser.end(html)
  return found.join(' ').replace(/\s+/g, ' ').trim()
}
