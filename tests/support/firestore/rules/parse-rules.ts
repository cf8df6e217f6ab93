/** Parses the part of the language of Firestore's rules that the project uses, and throws at everything else. */

export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'call'; readonly of: Expression; readonly args: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'is'; readonly of: Expression; readonly type: string }
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
    }

export interface RuleFunction {
  readonly name: string
  readonly parameters: readonly string[]
  readonly body: Expression
}

export interface Allow {
  readonly methods: readonly string[]
  readonly condition: Expression
}

export interface RuleMatch {
  /** Parts of the path; `{name}` stands for any. */
  readonly path: readonly string[]
  readonly functions: readonly RuleFunction[]
  readonly allows: readonly Allow[]
  readonly matches: readonly RuleMatch[]
}

const TOKEN = /(?:\s|\/\/[^\n]*)*('[^'\\\n]*'|\d+|\w+|&&|\|\||[=!<>]=|[<>!(){}[\],;:./=])/y

const HEAD = ['rules_version', '=', "'2'", ';', 'service', 'cloud', '.', 'firestore'] as const

/** Weakest first. Source: https://firebase.google.com/docs/rules/rules-language */
const OPERATORS = [['||'], ['&&'], ['==', '!='], ['in', 'is'], ['<', '<=', '>', '>=']] as const

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Returns the matches of `service cloud.firestore`. */
export function parseRules(text: string): readonly RuleMatch[] {
  const parser = new Parser(split(text))
  parser.expect(...HEAD)
  const { matches, functions, allows } = parser.parseBlock()
  parser.expectEnd()
  if (functions.length + allows.length > 0) throw new Error('a rule stands outside of every match')
  return matches
}

function split(text: string): readonly string[] {
  const tokens: string[] = []
  const end = text.trimEnd().length
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    if (found === null) throw new Error(`unknown: ${text.slice(from, from + 40)}`)
    tokens.push(found[1] ?? '')
  }
  return tokens
}

class Parser {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  expect(...tokens: readonly string[]): void {
    for (const token of tokens) {
      const next = this.#take()
      if (next !== token) throw new Error(`${token} expected, not ${next}`)
    }
  }

  expectEnd(): void {
    if (this.#at < this.#tokens.length) throw new Error(`the end expected, not ${this.#take()}`)
  }

  parseBlock(): Omit<RuleMatch, 'path'> {
    const [functions, allows, matches]: [RuleFunction[], Allow[], RuleMatch[]] = [[], [], []]
    this.expect('{')
    while (!this.#skip('}')) {
      const word = this.#take()
      if (word === 'function') functions.push(this.#parseFunction())
      else if (word === 'allow') allows.push(this.#parseAllow())
      else if (word === 'match') matches.push({ path: this.#parsePath(), ...this.parseBlock() })
      else throw new Error(`a rule expected, not ${word}`)
    }
    return { functions, allows, matches }
  }

  #parsePath(): readonly string[] {
    const path: string[] = []
    while (this.#skip('/')) {
      const isVariable = this.#skip('{')
      const name = this.#takeName()
      if (isVariable) this.expect('}')
      path.push(isVariable ? `{${name}}` : name)
    }
    return path
  }

  #parseFunction(): RuleFunction {
    const name = this.#takeName()
    this.expect('(')
    const parameters = this.#parseList(')', () => this.#takeName())
    this.expect('{', 'return')
    const body = this.#parseBinary(0)
    this.expect(';', '}')
    return { name, parameters, body }
  }

  #parseAllow(): Allow {
    const methods = [this.#takeName()]
    while (this.#skip(',')) methods.push(this.#takeName())
    this.expect(':', 'if')
    const condition = this.#parseBinary(0)
    this.expect(';')
    return { methods, condition }
  }

  #parseBinary(level: number): Expression {
    const operators: readonly string[] | undefined = OPERATORS[level]
    if (operators === undefined) return this.#parseUnary()
    let left = this.#parseBinary(level + 1)
    for (;;) {
      const operator = operators.find((one) => this.#skip(one))
      if (operator === undefined) return left
      left =
        operator === 'is'
          ? { kind: 'is', of: left, type: this.#takeName() }
          : { kind: 'binary', operator, left, right: this.#parseBinary(level + 1) }
    }
  }

  #parseUnary(): Expression {
    if (this.#skip('!')) return { kind: 'not', of: this.#parseUnary() }
    let of = this.#parseOne()
    for (;;) {
      if (this.#skip('.')) of = { kind: 'member', of, name: this.#takeName() }
      else if (this.#skip('(')) of = { kind: 'call', of, args: this.#parseArguments(')') }
      else return of
    }
  }

  #parseOne(): Expression {
    if (this.#skip('(')) {
      const inner = this.#parseBinary(0)
      this.expect(')')
      return inner
    }
    if (this.#skip('[')) return { kind: 'list', items: this.#parseArguments(']') }
    const token = this.#take()
    if (token.startsWith("'")) return { kind: 'literal', value: token.slice(1, -1) }
    if (/^\d+$/.test(token)) return { kind: 'literal', value: Number(token) }
    const word = WORDS.get(token)
    if (word !== undefined) return { kind: 'literal', value: word }
    if (!/^[a-z]\w*$/i.test(token)) throw new Error(`an expression expected, not ${token}`)
    return { kind: 'name', name: token }
  }

  #parseArguments(end: string): readonly Expression[] {
    return this.#parseList(end, () => this.#parseBinary(0))
  }

  #parseList<Item>(end: string, parseItem: () => Item): readonly Item[] {
    const items: Item[] = []
    if (this.#skip(end)) return items
    do items.push(parseItem())
    while (this.#skip(','))
    this.expect(end)
    return items
  }

  #takeName(): string {
    const name = this.#take()
    if (!/^[a-z_]\w*$/i.test(name)) throw new Error(`a name expected, not ${name}`)
    return name
  }

  #take(): string {
    const token = this.#tokens[this.#at] ?? 'the end'
    this.#at += 1
    return token
  }

  #skip(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false
    this.#at += 1
    return true
  }
}
