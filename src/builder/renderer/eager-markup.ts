/**
 * Astro's runtime for components that are plain markup. They become flat text at once, while Astro keeps objects for all
 * of their elements, attributes and values until the page is complete. Without slots, islands and promises.
 */
import {
  addAttribute as addAnyAttribute,
  createComponent as createAstroComponent,
  escapeHTML,
} from 'astro/runtime/server/index.js'

export { createAstro } from 'astro/runtime/server/index.js'

const HTML = Symbol.for('astro:html-string')

/** Text that is markup already. Astro, too, recognizes it by the symbol. */
export class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get [HTML](): true {
    return true
  }

  toString(): string {
    return this.#text
  }
}

type Properties = Readonly<Record<string, unknown>>
type Factory = (context: EagerContext, properties: Properties, slots: object) => Markup

interface EagerContext {
  createAstro(properties: Properties): { readonly props: Properties; self: unknown }
}

const CONTEXT: EagerContext = { createAstro: (props) => ({ props, self: null }) }

export function createComponent(factory: Factory, moduleId?: string): unknown {
  const renderEagerly = (_: unknown, properties: Properties, slots: object): Markup =>
    factory(CONTEXT, properties, slots)
  return createAstroComponent(renderEagerly as never, moduleId)
}

export function renderComponent(
  context: EagerContext,
  _name: string,
  component: Factory,
  properties: Properties,
): Markup {
  return component(context, properties, {})
}

/** The head is complete before any of these components. */
export function maybeRenderHead(): null {
  return null
}

/** Joined, because a concatenated string keeps its pieces as objects until it is written. */
export function render(parts: readonly string[], ...values: readonly unknown[]): Markup {
  const pieces = [parts[0]]
  for (let index = 0; index < values.length; index += 1)
    pieces.push(renderValue(values[index]), parts[index + 1])
  return new Markup(pieces.join(''))
}

function renderValue(value: unknown): string {
  if (typeof value === 'string') return escapeHTML(value)
  if (value instanceof Markup) return value.toString()
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'number' || value === true) return String(value)
  if (Array.isArray(value)) return value.map(renderValue).join('')
  if (isAstroMarkup(value)) return String(value)
  throw new Error('this component can show text, numbers and plain components only: see eager-markup.ts')
}

function isAstroMarkup(value: unknown): boolean {
  return typeof value === 'object' && value !== null && HTML in value
}

const ordinary = new Map<string, boolean>()

export function addAttribute(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string' || value === '' || !isOrdinary(name)) return addAnyAttribute(value, name)
  const text =
    value.includes('&') || value.includes('"')
      ? value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
      : value
  return new Markup(` ${name}="${text}"`)
}

/** Returns false for the attributes that Astro treats in a special way, such as `class:list`. */
function isOrdinary(name: string): boolean {
  const known = ordinary.get(name)
  if (known !== undefined) return known
  const found = String(addAnyAttribute('x', name)) === ` ${name}="x"`
  ordinary.set(name, found)
  return found
}
