/** Finds features that a script uses and that the oldest supported browsers lack. */
import type { ESTree } from 'vite'
import { parseSync, Visitor } from 'vite'
import type { BrowserData } from './browser-data.ts'

/** Paths in MDN's data that contain the built-in objects and the interfaces of browsers. */
const OWNERS = [['api'], ['javascript', 'builtins']] as const
const REGULAR_EXPRESSIONS = ['javascript', 'regular_expressions'] as const
const LOOKBEHIND = /\(\?<[=!]/

/**
 * Returns the names of features that the script uses without a guard and that one of the browsers lacks. A feature is
 * guarded if the script tests it by `?.` or `typeof` anywhere. Unless a member's object is a global, the object's type
 * is unknown. Such a member is reported only if every interface with a member of this name lacks it in one of the
 * browsers.
 */
export function findNewInScript(code: string, data: BrowserData): ReadonlySet<string> {
  const { program, errors } = parseSync('script.js', code)
  if (errors.length > 0) throw new Error(`a script cannot be parsed: ${errors[0]?.message}`)
  const found = new Set<string>()
  const guarded = new Set<string>()
  const lackGlobal = (...path: readonly string[]): boolean =>
    OWNERS.some((owner) => data.lacks(...owner, ...path))
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
    NewExpression: ({ callee }) => {
      const name = readGlobal(callee)
      if (name !== null && lackGlobal(name, name)) found.add(`new ${name}`)
    },
    MemberExpression: (member) => {
      if (member.optional && member.object.type === 'MemberExpression') guarded.add(readMember(member.object))
      const [owner, name] = [readGlobal(member.object), readMember(member)]
      if (owner !== null && (lackGlobal(owner, name) || lackGlobal(owner, `${name}_static`)))
        found.add(`${owner}.${name}`)
      else if (data.lacksMember(name)) found.add(name)
    },
    Identifier: ({ name }) => {
      if (/^[A-Z]\w{2,}$/.test(name) && lackGlobal(name)) found.add(name)
    },
    AssignmentExpression: ({ operator }) => {
      if (/^(\?\?|\|\||&&)=$/.test(operator)) found.add(operator)
    },
    PropertyDefinition: () => found.add('class field'),
    StaticBlock: () => found.add('static block'),
    Literal: (literal) => {
      if ('regex' in literal && isNewPattern(literal.regex.pattern, data))
        found.add(`/${literal.regex.pattern}/`)
      else if (typeof literal.value === 'string' && isNewPattern(literal.value, data))
        found.add(literal.value)
    },
  })
  visitor.visit(program)
  for (const name of guarded) found.delete(name)
  return found
}

function isNewPattern(pattern: string, data: BrowserData): boolean {
  return LOOKBEHIND.test(pattern) && data.lacks(...REGULAR_EXPRESSIONS, 'lookbehind_assertion')
}

function readGlobal(node: ESTree.Expression | ESTree.Super): string | null {
  return node.type === 'Identifier' && /^[A-Z]\w{2,}$/.test(node.name) ? node.name : null
}

/** Returns the property's name; '' for a computed or private property. */
function readMember({ computed, property }: ESTree.MemberExpression): string {
  return !computed && property.type === 'Identifier' ? property.name : ''
}
