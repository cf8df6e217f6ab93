/**
 * The rules of a site's `_headers` and `_redirects`, parsed and applied as Cloudflare's static assets do. Rules for a
 * host, and rules that remove headers, are not supported, because the site writes none.
 */

export interface SiteRules {
  readonly headers: readonly HeaderRule[]
  readonly redirects: readonly RedirectRule[]
}

interface HeaderRule {
  readonly pattern: RegExp
  readonly set: ReadonlyMap<string, string>
}

interface RedirectRule {
  readonly pattern: RegExp
  readonly to: string
  readonly status: number
}

/** Source: https://developers.cloudflare.com/workers/static-assets/headers/ */
const MOST_RULES = 100
const LONGEST_LINE = 2_000
const STATUSES = [200, 301, 302, 303, 307, 308]

export function parseHeaderRules(text: string): readonly HeaderRule[] {
  const rules: { path: string; set: Map<string, string> }[] = []
  for (const line of listLines(text)) {
    const rule = rules.at(-1)
    const [name = '', ...rest] = line.split(':')
    const value = rest.join(':').trim()
    if (line.startsWith('/')) rules.push({ path: line, set: new Map() })
    else if (name !== '' && value !== '') {
      const header = name.trim().toLowerCase()
      const before = rule?.set.get(header)
      rule?.set.set(header, before === undefined ? value : `${before}, ${value}`)
    }
  }
  return rules.slice(0, MOST_RULES).flatMap(({ path, set }) => {
    const pattern = createPattern(path)
    return pattern === null ? [] : [{ pattern, set }]
  })
}

export function parseRedirectRules(text: string): readonly RedirectRule[] {
  return listLines(text).flatMap((line) => {
    const [from = '', to, code = '302', ...rest] = line.replace(/\s+#.*$/, '').split(/\s+/)
    const status = Number(code)
    const pattern = createPattern(from)
    const isKnown = to !== undefined && rest.length === 0 && STATUSES.includes(status)
    return pattern === null || !isKnown ? [] : [{ pattern, to, status }]
  })
}

function listLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#') && line.length <= LONGEST_LINE)
}

/** Returns `null` if the path is no pattern. `*` matches anything, and `:name` one part of a path. */
function createPattern(path: string): RegExp | null {
  if (!path.startsWith('/')) return null
  const escaped = new URL(path, 'https://site').pathname.replace(/[-/\\^$+?.()|[\]{}]/g, '\\$&')
  const named = escaped.replace(/\*/g, '(?<splat>.*)').replace(/:([A-Za-z]\w*)/g, '(?<$1>[^/]+)')
  try {
    return new RegExp(`^${named}$`)
  } catch {
    // Two parts with the same name.
    return null
  }
}

/** The first rule that matches. With status 200, the file at `to` is served at this address. */
interface Redirection {
  readonly status: number
  /** Path with query and fragment, or an absolute address. */
  readonly to: string
}

export function findRedirection(rules: readonly RedirectRule[], path: string): Redirection | null {
  for (const { pattern, to, status } of rules) {
    const found = pattern.exec(path)
    if (found === null) continue
    const filled = fillNames(to, found)
    return { status, to: /^\w+:\/\//.test(filled) ? filled : filled.replace(/\/+/g, '/') }
  }
  return null
}

/** Changes headers by all rules that match. Of two rules for one header, both values count. */
export function applyHeaderRules(rules: readonly HeaderRule[], path: string, headers: Headers): void {
  const written = new Set<string>()
  for (const { pattern, set } of rules) {
    const found = pattern.exec(path)
    if (found === null) continue
    for (const [name, value] of set) {
      if (written.has(name)) headers.append(name, fillNames(value, found))
      else headers.set(name, fillNames(value, found))
      written.add(name)
    }
  }
}

function fillNames(text: string, { groups = {} }: RegExpExecArray): string {
  return Object.entries(groups).reduce((filled, [name, part]) => filled.replaceAll(`:${name}`, part), text)
}
