/** Evaluates the expressions of a GitHub workflow: names, texts, `||`, `&&`, `==`, `!=`, `!` and status functions. */

export type Value = string | number | boolean | null
/** By the first part of a name: `vars`, `secrets`, `inputs`, `github`, `env`. */
export type Contexts = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const TOKEN = /\s*('(?:[^']|'')*'|\|\||&&|==|!=|!|\(|\)|[A-Za-z_][\w.-]*|\d+)/y

/** Replaces each `${{ … }}` of a text. */
export function fillIn(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, code: string) => {
    const value = evaluate(code, contexts)
    return value === null ? '' : String(value)
  })
}

/** A text that is one expression keeps the type of its value. */
export function fillValue(value: unknown, contexts: Contexts): unknown {
  if (typeof value !== 'string') return value
  const [, code] = /^\$\{\{((?:(?!\}\}).)*)\}\}$/s.exec(value.trim()) ?? []
  return code === undefined ? fillIn(value, contexts) : evaluate(code, contexts)
}

/** Throws for what it does not know, so that no expression is silently wrong. */
export function evaluate(code: string, contexts: Contexts): Value {
  const tokens = split(code)
  const parser = new Parser(tokens, contexts)
  const value = parser.parseOr()
  if (tokens.length > 0) throw new Error(`the runner does not understand ${code.trim()}`)
  return value
}

export function isTrue(value: Value): boolean {
  return value !== null && value !== '' && value !== false && value !== 0
}

function split(code: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  const text = code.trim()
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)
    if (found === null) throw new Error(`the runner does not understand ${text}`)
    tokens.push(found[1] ?? '')
  }
  return tokens
}

class Parser {
  readonly #tokens: string[]
  readonly #contexts: Contexts

  constructor(tokens: string[], contexts: Contexts) {
    this.#tokens = tokens
    this.#contexts = contexts
  }

  parseOr(): Value {
    let value = this.#parseAnd()
    while (this.#take('||')) {
      const next = this.#parseAnd()
      value = isTrue(value) ? value : next
    }
    return value
  }

  #parseAnd(): Value {
    let value = this.#parseEqual()
    while (this.#take('&&')) {
      const next = this.#parseEqual()
      value = isTrue(value) ? next : value
    }
    return value
  }

  #parseEqual(): Value {
    const value = this.#parseOne()
    if (this.#take('==')) return value === this.#parseOne()
    if (this.#take('!=')) return value !== this.#parseOne()
    return value
  }

  #parseOne(): Value {
    if (this.#take('!')) return !isTrue(this.#parseOne())
    if (this.#take('(')) {
      const value = this.parseOr()
      this.#take(')')
      return value
    }
    const token = this.#tokens.shift() ?? ''
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'")
    if (/^\d+$/.test(token)) return Number(token)
    if (token === 'true' || token === 'false') return token === 'true'
    if (this.#take('(')) {
      this.#take(')')
      return this.#find(`status.${token}`)
    }
    return this.#find(token)
  }

  #take(token: string): boolean {
    if (this.#tokens[0] !== token) return false
    this.#tokens.shift()
    return true
  }

  #find(name: string): Value {
    const [first = '', ...rest] = name.split('.')
    const context = this.#contexts[first]
    if (context === undefined) throw new Error(`the runner does not know ${name}`)
    const value = rest.reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
      context,
    )
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
  }
}
