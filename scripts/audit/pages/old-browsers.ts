/**
 * Finds features in scripts and styles that the oldest supported browsers lack, by MDN's data. Syntax is not checked:
 * scripts are compiled for these browsers. Source: https://github.com/mdn/browser-compat-data
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CssNode } from 'css-tree'
import { parse, walk } from 'css-tree'
import type { ESTree } from 'vite'
import { parseSync, Visitor } from 'vite'
import { OLDEST_BROWSERS } from '../../../src/builder/renderer/browsers.ts'
import type { PageCheck } from './built-page.ts'
import { findNamed, readPageText } from './built-page.ts'

/** The parts of the data that are read here. Source: the schema in the repository of the data. */
interface Support {
  readonly version_added: string | boolean | null
  readonly version_removed?: string
  readonly alternative_name?: string
  readonly flags?: unknown
}
interface Statement {
  readonly support: Readonly<Record<string, Support | readonly Support[]>>
}
const STATEMENT = '__compat'
type Feature = { readonly [name: string]: Feature } & { readonly [STATEMENT]?: Statement }

interface SupportCheck {
  readonly checkPage: PageCheck
  /** Returns the problems of a script as phrases that follow its path. */
  checkScript(code: string): readonly string[]
}

/**
 * Members of scripts that are not reported: first those of the project's own objects, then `share`, without which the
 * text is copied, and `showModal`, which `src/site/islands/order/stand-ins.ts` replaces.
 */
const SCRIPTS = 'address available element notify query show subscribe share showModal'.split(' ')

/** Selectors, at-rules, media features, properties and units without which a page looks plainer but still works. */
const STYLES = [
  ':focus-visible @page :has :-webkit-search-cancel-button scripting forced-colors forced-color-adjust aspect-ratio',
  'content-visibility contain-intrinsic-size color-scheme cursor outline overflow-wrap overscroll-behavior scroll-padding-inline',
  'scroll-snap-type scrollbar-width :-webkit-scrollbar text-wrap user-select dvh',
].flatMap((names) => names.split(' '))

/** React's code is not checked, because it tests for the features that it uses. */
const REACT = 'react.transitional.element'
/** Names of globals. Shorter names are those of compressed code. */
const GLOBAL = /^[A-Z]\w{2,}$/
const LOOKBEHIND = /\(\?<[=!]/
const UNITS: Readonly<Record<string, string>> = { d: 'dynamic', s: 'small', l: 'large' }

const { ios, ...others } = OLDEST_BROWSERS
const OLDEST = Object.entries({ ...others, safari_ios: ios })

/** Returns checks that report on each script and style only once, even if many pages contain it. */
export function createSupportCheck(): SupportCheck {
  const seen = new Set<string>()
  const file = fileURLToPath(import.meta.resolve('@mdn/browser-compat-data'))
  const data = JSON.parse(readFileSync(file, 'utf8')) as Feature
  const members = listMembers(data)
  const report = (text: string, find: () => ReadonlySet<string>, known: readonly string[]) => {
    if (text === '' || seen.has(text)) return []
    seen.add(text)
    const found = [...find()].filter((name) => !known.includes(name.replace(/: .*/, '')))
    return found.map((name) => `uses ${name}, which the oldest supported browsers lack`)
  }
  const checkScript = (code: string): readonly string[] =>
    code.includes(REACT) ? [] : report(code, () => findNewInScript(code, data, members), SCRIPTS)
  return {
    checkScript,
    checkPage: ({ tree }) => [
      ...findNamed(tree, 'script')
        .filter(({ attribs }) => attribs['type'] === undefined)
        .flatMap((script) => checkScript(readPageText(script))),
      ...findNamed(tree, 'style').flatMap((style) => {
        const text = readPageText(style)
        return report(text, () => findNewInStyle(text, data), STYLES)
      }),
    ],
  }
}

/**
 * Returns the names of features that the script uses without a guard and that one of the browsers lacks. A feature is
 * guarded if the script tests it by `?.` or `typeof` anywhere. Unless a member's object is a global, the object's type
 * is unknown. Such a member is reported only if every interface with a member of this name lacks it.
 */
function findNewInScript(
  code: string,
  data: Feature,
  members: ReadonlyMap<string, readonly Feature[]>,
): ReadonlySet<string> {
  const { program, errors } = parseSync('script.js', code)
  if (errors.length > 0) throw new Error(`a script cannot be parsed: ${errors[0]?.message}`)
  const found = new Set(LOOKBEHIND.test(code) ? ['lookbehind'] : [])
  const guarded = new Set<string>()
  const lackGlobal = (...path: readonly string[]): boolean =>
    [data['api'], data['javascript']?.['builtins']].some((owner) => lacks(owner, ...path))
  const visitor = new Visitor({
    UnaryExpression: ({ operator, argument }) => {
      if (operator !== 'typeof') return
      if (argument.type === 'Identifier') guarded.add(argument.name)
      else if (argument.type === 'MemberExpression')
        guarded.add(`${readGlobal(argument.object)}.${readMember(argument)}`)
    },
    CallExpression: ({ optional, callee }) => {
      if (optional && callee.type === 'MemberExpression') guarded.add(readMember(callee))
    },
    MemberExpression: (member) => {
      if (member.optional && member.object.type === 'MemberExpression') guarded.add(readMember(member.object))
      const [owner, name] = [readGlobal(member.object), readMember(member)]
      if (owner !== null && (lackGlobal(owner, name) || lackGlobal(owner, `${name}_static`)))
        found.add(`${owner}.${name}`)
      else if (members.get(name)?.every((one) => lacks(one)) === true) found.add(name)
    },
    Identifier: ({ name }) => {
      if (GLOBAL.test(name) && lackGlobal(name)) found.add(name)
    },
  })
  visitor.visit(program)
  for (const name of guarded) found.delete(name)
  return found
}

function readGlobal(node: ESTree.Expression | ESTree.Super): string | null {
  return node.type === 'Identifier' && GLOBAL.test(node.name) ? node.name : null
}

/** Returns the property's name; '' for a computed or private property. */
function readMember({ computed, property }: ESTree.MemberExpression): string {
  return !computed && property.type === 'Identifier' ? property.name : ''
}

/** Returns a name for each feature of the style sheet that one of the browsers lacks. */
function findNewInStyle(style: string, data: Feature): ReadonlySet<string> {
  const found = new Set<string>()
  let property = ''
  const check = (name: string, ...path: readonly string[]): void => {
    if (lacks(data['css'], ...path)) found.add(name)
  }
  walk(parse(style), {
    enter: (node: CssNode) => {
      if (node.type === 'Declaration') {
        property = node.property
        check(property, 'properties', property)
      } else if (node.type === 'Identifier' && property !== '')
        check(`${property}: ${node.name}`, 'properties', property, node.name)
      else if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector')
        check(`:${node.name}`, 'selectors', node.name)
      else if (node.type === 'Atrule') check(`@${node.name}`, 'at-rules', node.name)
      else if (node.type === 'Feature')
        check(node.name, 'at-rules', 'media', node.name.replace(/^(min|max)-/, ''))
      else if (node.type === 'FeatureRange') check('media range', 'at-rules', 'media', 'range_syntax')
      else if (node.type === 'Function') check(`${node.name}()`, 'types', node.name)
      else if (node.type === 'Dimension') {
        const kind = UNITS[/^([dsl])v([hwbi]|min|max)/.exec(node.unit)?.[1] ?? '']
        check(node.unit, 'types', 'length', `viewport_percentage_units_${kind}`)
      }
    },
    leave: (node: CssNode) => {
      if (node.type === 'Declaration') property = ''
    },
  })
  return found
}

/** Returns the members of interfaces and built-in objects by name. */
function listMembers(data: Feature): ReadonlyMap<string, readonly Feature[]> {
  const owners = [data['api'], data['javascript']?.['builtins']].flatMap((group) =>
    Object.values(group ?? {}),
  )
  const members = owners.flatMap((owner) => Object.entries(owner)).filter(([name]) => name !== STATEMENT)
  const groups = Map.groupBy(members, ([name]) => name.replace(/_static$/, ''))
  return new Map([...groups].map(([name, found]) => [name, found.map(([, feature]) => feature)]))
}

/** Returns whether one of the browsers lacks the feature at this path; false if the path is unknown. */
function lacks(group: Feature | undefined, ...path: readonly string[]): boolean {
  let feature = group
  for (const name of path)
    feature = feature !== undefined && Object.hasOwn(feature, name) ? feature[name] : undefined
  const statement = feature?.[STATEMENT]
  if (statement === undefined) return false
  return !OLDEST.every(([browser, version]) =>
    [statement.support[browser] ?? []].flat().some((support) => isSince(support, version)),
  )
}

/**
 * Returns whether `version` of a browser supports the feature. A feature that needs a prefix counts as supported,
 * because Vite adds prefixes.
 */
function isSince(support: Support, version: string): boolean {
  const { version_added: added, version_removed: removed, alternative_name: other, flags } = support
  if (removed !== undefined || other !== undefined || flags !== undefined) return false
  return typeof added === 'string'
    ? Number.parseFloat(added.replace('≤', '')) <= Number(version)
    : added === true
}
