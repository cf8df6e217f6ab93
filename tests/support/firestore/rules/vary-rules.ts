/** Breaks rules in one place at a time: a condition is dropped, a bound moved, a name replaced. */
import type { Allow, Expression, RuleMatch, RuleFunction } from './parse-rules.ts'

type Varied<Part> = Generator<readonly [change: string, part: Part]>

const TRUE: Expression = { kind: 'literal', value: true }
/** No field, type or id of the rules. */
const OTHER = 'other'
const NEIGHBOURS: Readonly<Record<string, string>> = { '<=': '<', '>=': '>', '<': '<=', '>': '>=' }
const TYPES: Readonly<Record<string, string>> = { int: 'number', number: 'int' }

export function* varyRules(matches: readonly RuleMatch[]): Varied<readonly RuleMatch[]> {
  yield* varyList(matches, varyMatch)
}

function* varyMatch(match: RuleMatch): Varied<RuleMatch> {
  const where = `/${match.path.join('/')}`
  for (const [change, functions] of varyList(match.functions, varyFunction))
    yield [change, { ...match, functions }]
  for (const [change, allows] of varyList(match.allows, varyAllow))
    yield [`${where} ${change}`, { ...match, allows }]
  for (const [change, matches] of varyList(match.matches, varyMatch)) yield [change, { ...match, matches }]
}

function* varyFunction(one: RuleFunction): Varied<RuleFunction> {
  for (const [change, body] of varyCondition(one.body)) yield [`${one.name}: ${change}`, { ...one, body }]
}

function* varyAllow(one: Allow): Varied<Allow> {
  for (const method of one.methods)
    yield [`without ${method}`, { ...one, methods: one.methods.filter((each) => each !== method) }]
  for (const [change, condition] of varyCondition(one.condition))
    yield [`${one.methods.join(', ')}: ${change}`, { ...one, condition }]
}

function* varyCondition(condition: Expression): Varied<Expression> {
  yield ['true', TRUE]
  yield* varyExpression(condition)
}

function* varyExpression(one: Expression): Varied<Expression> {
  if (one.kind === 'literal') return yield* varyLiteral(one)
  if (one.kind === 'binary') return yield* varyBinary(one)
  if (one.kind === 'list') {
    for (const [change, items] of varyList(one.items, varyExpression)) yield [change, { ...one, items }]
    return
  }
  if (one.kind === 'name') return
  if (one.kind === 'not') yield ['without !', one.of]
  if (one.kind === 'is' && TYPES[one.type] !== undefined)
    yield [`is ${TYPES[one.type]}`, { ...one, type: TYPES[one.type] ?? '' }]
  for (const [change, of] of varyExpression(one.of)) yield [change, { ...one, of }]
  if (one.kind === 'call')
    for (const [change, args] of varyList(one.args, varyExpression)) yield [change, { ...one, args }]
}

function* varyBinary(one: Extract<Expression, { kind: 'binary' }>): Varied<Expression> {
  const { operator, left, right } = one
  if (operator === '&&' || operator === '||') {
    yield [`without what follows ${operator} ${format(right)}`, left]
    yield [`without what precedes ${operator} ${format(right)}`, right]
  }
  const neighbour = NEIGHBOURS[operator]
  if (neighbour !== undefined) yield [`${neighbour} ${format(right)}`, { ...one, operator: neighbour }]
  for (const [change, varied] of varyExpression(left)) yield [change, { ...one, left: varied }]
  for (const [change, varied] of varyExpression(right)) yield [change, { ...one, right: varied }]
}

function* varyLiteral(one: Extract<Expression, { kind: 'literal' }>): Varied<Expression> {
  const { value } = one
  if (typeof value === 'number')
    for (const next of [value - 1, value + 1]) yield [`${next} for ${value}`, { ...one, value: next }]
  if (typeof value !== 'string') return
  yield [`${OTHER} for ${value}`, { ...one, value: OTHER }]
  for (const { 0: count, index } of value.matchAll(/\d+(?=[,}])/g))
    for (const next of [Number(count) - 1, Number(count) + 1])
      yield [
        `${next} for ${count} in ${value}`,
        { ...one, value: value.slice(0, index) + next + value.slice(index + count.length) },
      ]
}

function* varyList<Part>(
  parts: readonly Part[],
  vary: (part: Part) => Varied<Part>,
): Varied<readonly Part[]> {
  for (const [index, part] of parts.entries())
    for (const [change, varied] of vary(part)) yield [change, parts.with(index, varied)]
}

function format(one: Expression): string {
  if (one.kind === 'literal') return String(one.value)
  if (one.kind === 'name') return one.name
  if (one.kind === 'list') return `[${one.items.map(format).join(', ')}]`
  if (one.kind === 'not') return `!${format(one.of)}`
  if (one.kind === 'is') return `${format(one.of)} is ${one.type}`
  if (one.kind === 'member') return `${format(one.of)}.${one.name}`
  if (one.kind === 'call') return `${format(one.of)}(${one.args.map(format).join(', ')})`
  return `${format(one.left)} ${one.operator} ${format(one.right)}`
}
