/**
 * The parts of Request, Response and Headers that a compiled renderer uses. Node's own classes load Node's whole fetch
 * implementation, which takes a quarter of the time of a run that renders one page.
 */

type HeaderList = Iterable<readonly [name: string, value: string]>

export class PlainHeaders {
  readonly #values = new Map<string, string>()

  constructor(init: HeaderList | Readonly<Record<string, string>> = []) {
    const entries = Symbol.iterator in init ? (init as HeaderList) : Object.entries(init)
    for (const [name, value] of entries) this.append(name, value)
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), String(value))
  }

  append(name: string, value: string): void {
    const before = this.get(name)
    this.set(name, before === null ? value : `${before}, ${value}`)
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase())
  }

  /** Returns an empty list, because pages set no cookies. */
  getSetCookie(): readonly string[] {
    return []
  }

  entries(): MapIterator<[string, string]> {
    return this.#values.entries()
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this.#values) visit(value, name)
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries()
  }
}

export class PlainRequest {
  readonly url: string
  readonly method = 'GET'
  readonly headers = new PlainHeaders()
  readonly body = null

  constructor(url: string | URL) {
    this.url = String(url)
  }

  clone(): PlainRequest {
    return new PlainRequest(this.url)
  }
}

type Body = string | Uint8Array | null

interface ResponseOptions {
  readonly status?: number
  readonly statusText?: string
  readonly headers?: ConstructorParameters<typeof PlainHeaders>[0]
}

export class PlainResponse {
  readonly body: Body
  readonly status: number
  readonly statusText: string
  readonly headers: PlainHeaders

  constructor(body: Body = null, { status = 200, statusText = '', headers = [] }: ResponseOptions = {}) {
    this.body = body
    this.status = status
    this.statusText = statusText
    this.headers = new PlainHeaders(headers)
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }
}

/**
 * Formats nothing. Astro's logger creates a formatter when it is loaded. Creating Node's own would take as long as
 * rendering a page, and no page shows a time.
 */
class PlainDateTimeFormat {
  format(): string {
    return ''
  }
}

/** Defines the classes that `WEB_CLASSES` refers to in compiled code. */
export function installPlainWeb(): void {
  Object.assign(globalThis, {
    rendererWeb: {
      Request: PlainRequest,
      Response: PlainResponse,
      Headers: PlainHeaders,
      DateTimeFormat: PlainDateTimeFormat,
    },
  })
}

/**
 * Constants for the bundler: compiled code uses the classes of `installPlainWeb` if they are installed, else those of
 * its host.
 */
export const WEB_CLASSES: Readonly<Record<string, string>> = {
  Request: '(globalThis.rendererWeb ?? globalThis).Request',
  Response: '(globalThis.rendererWeb ?? globalThis).Response',
  Headers: '(globalThis.rendererWeb ?? globalThis).Headers',
  'Intl.DateTimeFormat': '(globalThis.rendererWeb ?? Intl).DateTimeFormat',
}
