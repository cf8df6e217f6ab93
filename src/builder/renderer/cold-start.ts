/** Makes a compiled renderer load faster: without Node's implementation of fetch, and without zod. */
import type { Plugin } from 'vite'

/** Headers that ignore the values they are made with: a route is prepared before a response, which nobody reads. */
class PlainHeaders extends Map<string, string> {
  constructor(_init?: unknown) {
    super()
  }
}

/** A request of an address, or a response with a body. */
class PlainMessage {
  readonly method = 'GET'
  readonly url: unknown
  readonly body: unknown
  readonly status: number
  readonly headers = new PlainHeaders()

  constructor(content: unknown, { status = 200 }: { readonly status?: number } = {}) {
    this.url = this.body = content
    this.status = status
  }
}

/** Called before a compiled renderer is loaded. Without it, the renderer uses Node's own classes. */
export function installPlainWeb(): void {
  // Astro's logger creates a formatter of times when it is loaded, and never uses it.
  const DateTimeFormat = Date
  const web = { Request: PlainMessage, Response: PlainMessage, Headers: PlainHeaders, DateTimeFormat }
  Object.assign(globalThis, { rendererWeb: web })
}

/** Constants for the bundler, which make compiled code use the installed classes. */
export const WEB_CLASSES: Readonly<Record<string, string>> = {
  Request: '(globalThis.rendererWeb ?? globalThis).Request',
  Response: '(globalThis.rendererWeb ?? globalThis).Response',
  Headers: '(globalThis.rendererWeb ?? globalThis).Headers',
  'Intl.DateTimeFormat': '(globalThis.rendererWeb ?? Intl).DateTimeFormat',
}

const SCHEMAS = '/astro/dist/core/csp/config.js'

/** A Vite plugin that leaves only its table in a module of Astro, which otherwise loads zod. */
export function withoutSchemas(): Plugin {
  return {
    name: 'vitrina:without-schemas',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith(SCHEMAS)) return null
      const table = /^const ALGORITHMS = \{[^}]+\};$/m.exec(code)?.[0]
      if (table === undefined)
        throw new Error(`${SCHEMAS} no longer contains ALGORITHMS: adapt cold-start.ts`)
      return { code: `${table}\nexport { ALGORITHMS }`, map: null }
    },
  }
}
