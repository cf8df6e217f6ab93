/**
 * The object `Astro` for the components of a prepared route. It has no data of a request, because all pages of a route
 * share the one request that prepared the route.
 */
import type { AstroGlobal, SSRResult } from 'astro'
import type { ComponentSlots } from 'astro/runtime/server/index.js'
import { chunkToString, renderSlotToString } from 'astro/runtime/server/index.js'
import type { PageLocals } from '../../domain/pages/page.ts'

type Properties = Readonly<Record<string, unknown>>

/** Base class that makes reading a missing property throw. */
class NothingElse {
  static {
    const refuse = (_target: object, name: string | symbol): never => {
      throw new Error(`components have no Astro.${String(name)}: see page-astro.ts`)
    }
    Object.setPrototypeOf(NothingElse.prototype, new Proxy({}, { get: refuse }))
  }
}

export class PageAstro extends NothingElse {
  readonly props: Properties
  readonly locals: PageLocals
  /** Set by the compiled component. */
  self: unknown = null
  readonly #result: SSRResult
  readonly #slots: ComponentSlots

  constructor(result: SSRResult, locals: PageLocals, props: Properties, slots: ComponentSlots) {
    super()
    this.props = props
    this.locals = locals
    this.#result = result
    this.#slots = slots
  }

  get slots(): Pick<AstroGlobal['slots'], 'render'> {
    return { render: (name) => this.#renderSlot(name) }
  }

  async #renderSlot(name: string): Promise<string> {
    const slot = this.#slots[name]
    return slot === undefined ? '' : chunkToString(this.#result, await renderSlotToString(this.#result, slot))
  }
}
