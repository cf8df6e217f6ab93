/**
 * Decides requests by Firestore's rules.
 *
 * In the strict reading, what has no value is an error, and an error refuses. The lenient one takes the side of the writer
 * wherever the language's documentation leaves open what an error does: rules that hold in both need no such detail.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Expression, RuleMatch, RuleFunction } from './parse-rules.ts'

export type RulesReading = 'strict' | 'lenient'

export interface RulesRequest {
  readonly method: 'get' | 'list' | 'create' | 'update' | 'delete'
  /** Such as `users/ana`. */
  readonly path: string
  /** `null` without sign-in. */
  readonly uid: string | null
  /** The document as it is; `null` for none. */
  readonly before?: Fields | null
  /** As it would be. */
  readonly after?: Fields | null
}

export type Fields = Readonly<Record<string, unknown>>

class RulesError extends Error {
  override readonly name = 'RulesError'
}

interface Scope {
  readonly reading: RulesReading
  /** Looked up here first, then in the outer scope. */
  readonly functions: readonly RuleFunction[]
  readonly variables: ReadonlyMap<string, unknown>
  readonly outer: Scope | null
  readonly steps: { count: number }
}

/** Firestore evaluates no more for a request. Source: https://firebase.google.com/docs/firestore/security/rules-structure */
const MAX_STEPS = 1_000

const METHODS: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list'],
  write: ['create', 'update', 'delete'],
}

export function isAllowed(
  matches: readonly RuleMatch[],
  request: RulesRequest,
  reading: RulesReading,
): boolean {
  const { method, path, uid, before = null, after = null } = request
  const variables = new Map<string, unknown>([
    [
      'request',
      { auth: uid === null ? null : { uid }, resource: after === null ? null : { data: after }, method },
    ],
    ['resource', before === null ? null : { data: before }],
  ])
  const scope: Scope = { reading, functions: [], variables, outer: null, steps: { count: 0 } }
  const parts = ['databases', '(default)', 'documents', ...path.split('/')]
  return matches.some((match) => isAllowedBy(match, { parts, method, scope }))
}

interface Place {
  readonly parts: readonly string[]
  readonly method: RulesRequest['method']
  readonly scope: Scope
}

function isAllowedBy(match: RuleMatch, { parts, method, scope: outer }: Place): boolean {
  const bound = bind(match.path, parts)
  if (bound === null) return false
  const { reading, steps } = outer
  const scope: Scope = { reading, steps, outer, variables: bound, functions: match.functions }
  const rest = parts.slice(match.path.length)
  if (rest.length > 0)
    return match.matches.some((inner) => isAllowedBy(inner, { parts: rest, method, scope }))
  const wanted = match.allows.filter(({ methods }) =>
    methods.some((one) => one === method || METHODS[one]?.includes(method) === true),
  )
  return wanted.some(({ condition }) => isTrue(condition, scope))
}

/** Returns the values of the path's variables; `null` if it does not begin so. */
function bind(path: readonly string[], parts: readonly string[]): ReadonlyMap<string, string> | null {
  const bound = new Map<string, string>()
  for (const [index, one] of path.entries()) {
    const part = parts[index]
    const [, variable] = /^\{(.*)\}$/.exec(one) ?? []
    if (part === undefined || (variable === undefined && one !== part)) return null
    if (variable !== undefined) bound.set(variable, part)
  }
  return bound
}

function isTrue(condition: Expression, scope: Scope): boolean {
  try {
    return evaluate(condition, scope) === true
  } catch (error) {
    if (error instanceof RulesError) return false
    throw error
  }
}

function evaluate(expression: Expression, scope: Scope): unknown {
  scope.steps.count += 1
  if (scope.steps.count > MAX_STEPS) throw new Error('more expressions than Firestore evaluates')
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'list':
      return expression.items.map((item) => evaluate(item, scope))
    case 'name':
      return readVariable(expression.name, scope)
    case 'member':
      return readMember(evaluate(expression.of, scope), expression.name, scope)
    case 'call':
      return call(expression, scope)
    case 'not':
      return !readFlag(evaluate(expression.of, scope))
    case 'is':
      return isOfType(evaluate(expression.of, scope), expression.type)
    case 'binary':
      return combine(expression, scope)
  }
}

function readVariable(name: string, scope: Scope): unknown {
  for (let at: Scope | null = scope; at !== null; at = at.outer)
    if (at.variables.has(name)) return at.variables.get(name)
  throw new Error(`the rules name ${name}, which is nothing`)
}

/** Returns a function, and the scope that it sees. */
function findFunction(name: string, scope: Scope): readonly [RuleFunction, Scope] {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const found = at.functions.find((one) => one.name === name)
    if (found !== undefined) return [found, at]
  }
  throw new Error(`the rules call ${name}, which is no function`)
}

function readMember(of: unknown, name: string, { reading }: Scope): unknown {
  if (isMap(of) && Object.hasOwn(of, name)) return of[name]
  if (reading === 'lenient') return null
  throw new RulesError(`no ${name}`)
}

function call({ of, args }: Extract<Expression, { kind: 'call' }>, scope: Scope): unknown {
  const values = args.map((arg) => evaluate(arg, scope))
  if (of.kind === 'member') return callMethod(evaluate(of.of, scope), [of.name, ...values], scope)
  const [found, outer] = findFunction(of.kind === 'name' ? of.name : '', scope)
  if (found.parameters.length !== values.length) throw new Error(`${found.name} has other parameters`)
  const { reading, steps } = scope
  const variables = new Map(found.parameters.map((name, index) => [name, values[index]]))
  return evaluate(found.body, { reading, steps, outer, variables, functions: [] })
}

/** Result for a value of another type in the lenient reading. */
const EMPTY: Readonly<Record<string, unknown>> = { size: 0, keys: [], matches: true, hasOnly: true }

function callMethod(of: unknown, [name, ...args]: readonly unknown[], { reading }: Scope): unknown {
  const [first, second] = args
  if (name === 'size' && typeof of === 'string') return [...of].length
  if (name === 'size' && (Array.isArray(of) || of instanceof Uint8Array)) return of.length
  if (name === 'size' && isMap(of)) return Object.keys(of).length
  if (name === 'keys' && isMap(of)) return Object.keys(of)
  if (name === 'get' && isMap(of) && typeof first === 'string')
    return Object.hasOwn(of, first) ? of[first] : second
  if (name === 'matches' && typeof of === 'string') return new RegExp(`^(?:${String(first)})$`, 'u').test(of)
  if (name === 'hasOnly' && Array.isArray(of) && Array.isArray(first))
    return of.every((one) => first.includes(one))
  if (!['size', 'keys', 'get', 'matches', 'hasOnly'].includes(String(name)))
    throw new Error(`the rules call ${String(name)}, which the test does not know`)
  if (reading === 'lenient') return name === 'get' ? second : EMPTY[String(name)]
  throw new RulesError(`no ${String(name)} of this type`)
}

function combine({ operator, left, right }: Extract<Expression, { kind: 'binary' }>, scope: Scope): unknown {
  if (operator === '||') return either(left, right, scope)
  const a = evaluate(left, scope)
  if (operator === '&&') return readFlag(a) && readFlag(evaluate(right, scope))
  const b = evaluate(right, scope)
  if (operator === '==') return isDeepStrictEqual(a, b)
  if (operator === '!=') return !isDeepStrictEqual(a, b)
  if (operator === 'in' && isMap(b)) return Object.hasOwn(b, String(a))
  if (typeof a === 'number' && typeof b === 'number') return compare(operator, a, b)
  if (scope.reading === 'lenient') return true
  throw new RulesError(`${operator} of other types`)
}

function compare(operator: string, a: number, b: number): boolean {
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  return operator === '>' ? a > b : a >= b
}

function either(left: Expression, right: Expression, scope: Scope): boolean {
  try {
    if (readFlag(evaluate(left, scope))) return true
  } catch (error) {
    if (!(error instanceof RulesError) || scope.reading === 'strict') throw error
  }
  return readFlag(evaluate(right, scope))
}

function readFlag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new RulesError('no condition')
  return value
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  // Firestore's libraries write whole numbers as such.
  int: (value) => Number.isInteger(value),
  map: isMap,
}

function isOfType(value: unknown, type: string): boolean {
  const isOf = TYPES[type]
  if (isOf === undefined) throw new Error(`the rules name the type ${type}, which the test does not know`)
  return isOf(value)
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
