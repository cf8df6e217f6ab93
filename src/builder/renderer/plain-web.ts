/**
 * What a compiled renderer uses of Request, Response and Headers. Node's own come with its whole fetch, whose loading
 * takes a quarter of a cold run that renders one page, and make each page a stream of bytes that is read again.
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

  /** Pages set no cookies. */
  getSetCookie(): readonly string[] {
    return []
  }

  entries(): MapIterator<[string, string]> {
    return this.#values.entries()
  }

  forEach(work: (value: string, name: string) => void): void {
    for (const [name, value] of this.#values) work(value, name)
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

  /** The text in UTF-8. */
  async bytes(): Promise<Uint8Array> {
    const { body } = this
    if (body === null || typeof body === 'string') return Buffer.from(body ?? '', 'utf8')
    if (body instanceof Uint8Array) return body
    throw new Error('the renderer answered with a stream, and is asked for whole pages only')
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }
}

/** What `WEB_CLASSES` names in compiled code. */
export function installPlainWeb(): void {
  Object.assign(globalThis, {
    rendererWeb: { Request: PlainRequest, Response: PlainResponse, Headers: PlainHeaders },
  })
}

/** For the bundler: in compiled code the classes that its host has put there, else the host's own. */
export const WEB_CLASSES = Object.fromEntries(
  ['Request', 'Response', 'Headers'].map((name) => [name, `(globalThis.rendererWeb ?? globalThis).${name}`]),
)
