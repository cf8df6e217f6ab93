/** Parses a source file: its syntax, its imports and its comments. */
import { parseSync } from 'vite'

/**
 * The extension of `file` determines the language. An Astro file is parsed only up to the end of its frontmatter.
 * Throws if parsing fails.
 */
export function parseCode(file: string, text: string): ReturnType<typeof parseSync> {
  const isAstro = file.endsWith('.astro')
  const code = isAstro ? (/^---\n(.*?)\n---/s.exec(text)?.[1] ?? '') : text
  const parsed = parseSync(isAstro ? 'file.ts' : file, code)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${file} does not parse: ${error.message}`)
  return parsed
}
