/** Every address inside the site that a file of it refers to, found by real parsers. */
import { init, parse } from 'es-module-lexer'
import { Parser } from 'htmlparser2'

const ATTRIBUTES = new Set(['src', 'href', 'component-url', 'renderer-url', 'before-hydration-url'])

/** Answered by the edge itself. */
const EDGE = '/cdn-cgi/'

/** Stands for the site's own origin while addresses are resolved. */
const OWN = 'http://site.invalid'

/** Paths with a leading `/`, decoded, without search and fragment. `path` is the file's own, relative. */
export async function findReferences(path: string, text: string): Promise<readonly string[]> {
  const base = `${OWN}/${path.split('/').map(encodeURIComponent).join('/')}`
  const raw = path.endsWith('.html') ? findInHtml(text) : path.endsWith('.js') ? await findInModule(text) : []
  return raw.flatMap((address) => resolveOwn(address, base))
}

/** The files that would answer at this path of the site, the likeliest first. */
export function listAnswers(path: string): readonly string[] {
  if (path === '/') return ['index.html']
  const file = path.slice(1)
  return [file, `${file}.html`]
}

function findInHtml(html: string): readonly string[] {
  const found: string[] = []
  const parser = new Parser({
    onattribute: (name, value) => {
      if (ATTRIBUTES.has(name)) found.push(value)
      if (name === 'srcset') found.push(...listSources(value))
    },
  })
  parser.end(html)
  return found
}

// Commas stand inside of addresses too. Source: https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute
function listSources(srcset: string): readonly string[] {
  return [...srcset.matchAll(SOURCE)].map(([, address = '']) => address)
}

const SOURCE = /\s*([^\s,]\S*[^\s,])(?:\s+[\d.]+[wx])?\s*(?:,|$)/g

async function findInModule(code: string): Promise<readonly string[]> {
  await init
  return parse(code)[0].flatMap(({ n: specifier }) => specifier ?? [])
}

function resolveOwn(address: string, base: string): readonly string[] {
  const url = URL.parse(address, base)
  return url?.origin === OWN && !url.pathname.startsWith(EDGE) ? [decodePath(url.pathname)] : []
}

// What cannot be decoded leads nowhere, and is said so as it stands.
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
