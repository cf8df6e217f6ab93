/** Checks that the content security policy in `_headers` is strict, and permits the inline code of every page. */
import { findInlineHashes } from '../../../src/builder/renderer/inline-code.ts'
import type { PageCheck } from './built-page.ts'
import { findAll } from './built-page.ts'

/** Permitted sources by directive. */
export type Policy = ReadonlyMap<string, readonly string[]>

/** Max characters of a line in `_headers`; Cloudflare ignores longer lines. */
const MAX_LINE = 2_000

/** Returns problems as phrases that follow the file's name. */
export function checkHeaders(headers: string): readonly string[] {
  const long = headers.split('\n').filter((line) => line.length > MAX_LINE)
  const policy = readPolicy(headers)
  const loose = [...policy].filter(([, sources]) => sources.some((source) => source.includes('unsafe-')))
  return [
    ...long.map(
      (line) =>
        `has a line of ${line.length} characters, which Cloudflare ignores: ${line.trim().slice(0, 40)}…`,
    ),
    ...(policy.get('default-src')?.join() === "'none'"
      ? []
      : ["has no Content-Security-Policy with default-src 'none' for all paths"]),
    ...loose.map(([directive]) => `has a Content-Security-Policy with an unsafe source in ${directive}`),
  ]
}

/** Returns the policy for all paths. Without one, the result permits no source in any directive. */
export function readPolicy(headers: string): Policy {
  const all = /^\/\*\n((?:[ \t].*\n?)*)/m.exec(headers)?.[1] ?? ''
  const policy = /^\s*Content-Security-Policy:(.*)$/im.exec(all)?.[1] ?? ''
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
  return new Map(directives.map(([name = '', ...sources]) => [name, sources]))
}

export function createPolicyCheck(policy: Policy): PageCheck {
  const isRefused = (directive: string, hash: string): boolean => !policy.get(directive)?.includes(hash)
  return ({ html }) => {
    const { scripts, styles } = findInlineHashes(html)
    return [
      ...scripts
        .filter((hash) => isRefused('script-src', hash))
        .map((hash) => `has an inline script that the Content-Security-Policy refuses: ${hash}`),
      ...styles
        .filter((hash) => isRefused('style-src', hash))
        .map((hash) => `has an inline style that the Content-Security-Policy refuses: ${hash}`),
    ]
  }
}

/** Finds attributes that a strict policy refuses. */
export const checkAttributes: PageCheck = ({ tree }) =>
  findAll(tree).flatMap(({ name, attribs }) =>
    Object.keys(attribs)
      .filter((key) => key === 'style' || key.startsWith('on'))
      .map((key) => `has a ${name} with the attribute ${key}, which the Content-Security-Policy refuses`),
  )
