/** Finds the paths of the site that a file refers to, with an HTML parser and a parser of JavaScript modules. */
import { init, parse } from 'es-module-lexer'
import { Parser } from 'htmlparser2'

const ATTRIBUTES = new Set([
  'src',
  'href',
  'component-url',
  'renderer-url',
  'before-hydration-url',
  'data-module',
])

/** Cloudflare's own paths, which are not part of the site. */
const EDGE = '/cdn-cgi/'

/** Placeholder for the site's origin, against which references are resolved. */
const OWN = 'http://site.invalid'

/**
 * Returns the paths of the site to which an HTML file refers in its attributes, or a JavaScript module in its imports;
 * none for other files. The paths are decoded, with a leading `/`, without query and fragment. `path` is the file's
 * path in the output folder, `text` its content.
 */
export async function findReferences(path: string, text: string): Promise<readonly string[]> {
  const base = `${OWN}/${path.split('/').map(encodeURIComponent).join('/')}`
  const raw = path.endsWith('.html') ? findInHtml(text) : path.endsWith('.js') ? await findInModule(text) : []
  return raw.flatMap((address) => resolveOwn(address, base))
}

/** Returns the files that may be served at this path of the site, the likeliest first. */
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
      if (name === 'srcset') for (const source of listSources(value)) found.push(source)
    },
  })
  parser.end(html)
  return found
}

// Returns every other word of a `srcset` attribute, because an address may contain commas.
function listSources(srcset: string): readonly string[] {
  return srcset
    .trim()
    .split(/\s+/)
    .filter((_, index) => index % 2 === 0)
}

// Returns nothing for a script that does not parse as a module. Such a script, e.g. a public file, imports nothing.
async function findInModule(code: string): Promise<readonly string[]> {
  await init
  try {
    return parse(code)[0].flatMap(({ n: specifier }) => specifier ?? [])
  } catch {
    return []
  }
}

function resolveOwn(address: string, base: string): readonly string[] {
  const url = URL.parse(address, base)
  return url?.origin === OWN && !url.pathname.startsWith(EDGE) ? [decodePath(url.pathname)] : []
}

// If a path cannot be decoded, returns it unchanged. No file matches such a path, so the reference counts as broken.
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
