/**
 * Replaces Astro's runtime for components that are plain markup, without slots, islands and promises. They become text
 * at once. Astro would keep objects for all their elements, attributes and values until the page is complete.
 */
import { createComponent as createAstroComponent, escapeHTML } from 'astro/runtime/server/index.js'
import { addAttribute as addAnyAttribute, formatOrdinary } from '../escaped-attributes.ts'
import type { CommonMarkup } from './page-pieces.ts'
import { HTML, keepApart } from './page-pieces.ts'

export { createAstro } from 'astro/runtime/server/index.js'

/** Text that is markup already, so it is not escaped. Each item of a list is a separate piece. */
export class Markup {
  /** Pieces before the text; none unless the markup contains a list. */
  readonly #pieces: readonly string[]
  readonly #text: string

  constructor(text: string, pieces: readonly string[] = []) {
    this.#text = text
    this.#pieces = pieces
  }

  /** Astro recognizes markup by this symbol. */
  get [HTML](): true {
    return true
  }

  toString(): string {
    return this.#pieces.length === 0 ? this.#text : this.toPieces().join('')
  }

  /** Returns the same markup as one flat piece. */
  join(): Markup {
    return new Markup([...this.toPieces(), ''].join(''))
  }

  toPieces(): readonly string[] {
    return [...this.#pieces, this.#text]
  }
}

type Properties = Readonly<Record<string, unknown>>
type Slots = { readonly default?: () => Markup }
type Factory = (context: EagerContext, properties: Properties, slots: Slots) => Markup

interface EagerContext {
  createAstro(properties: Properties): { readonly props: Properties; self: unknown }
}

const CONTEXT: EagerContext = { createAstro: (props) => ({ props, self: null }) }

/**
 * Max components, inside one component that Astro renders, whose markup stays in pieces. The markup of further
 * components is joined to a flat text, because a concatenated string keeps its parts in memory until it is written.
 */
const MANY = 100

/**
 * Markup of at most this many characters is not kept apart (see page-pieces.ts), because copying it takes less time
 * than finding its mark in the page again.
 */
const SHORT = 4_000

/** Number of components rendered so far inside the component that Astro renders. */
let inner = 0

export function createComponent(factory: Factory, moduleId?: string): unknown {
  const renderInner = (properties: Properties, slots: Slots): Markup => {
    inner += 1
    const markup = factory(CONTEXT, properties, slots)
    return inner > MANY ? markup.join() : markup
  }
  const renderOuter = (properties: Properties, slots: Slots): Markup => {
    inner = 0
    const pieces = factory(CONTEXT, properties, slots).toPieces()
    const isLong = pieces.reduce((sum, { length }) => sum + length, 0) > SHORT
    return new Markup(isLong ? keepApart(pieces) : pieces.join(''))
  }
  const renderEagerly = (parent: unknown, properties: Properties, slots: Slots): Markup =>
    parent === CONTEXT ? renderInner(properties, slots) : renderOuter(properties, slots)
  return createAstroComponent(renderEagerly as never, moduleId)
}

export function renderComponent(
  context: EagerContext,
  _name: string,
  component: Factory,
  properties: Properties,
  slots: Slots = {},
): Markup {
  return component(context, properties, slots)
}

/** The component `<>`, which groups several elements. */
export const Fragment: Factory = (_context, _properties, slots) => slots.default?.() ?? new Markup('')

/** Returns nothing, because the head is complete before any of these components is rendered. */
export function maybeRenderHead(): null {
  return null
}

export function unescapeHTML(text: string | CommonMarkup): Markup {
  return new Markup(String(text))
}

export function render(parts: readonly string[], ...values: readonly unknown[]): Markup {
  const pieces: string[] = []
  let text = parts[0] ?? ''
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    if (Array.isArray(value)) {
      pieces.push(text)
      for (const item of value) pieces.push(formatValue(item))
      text = ''
    } else text += formatValue(value)
    text += parts[index + 1] ?? ''
  }
  return new Markup(text, pieces)
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return escapeHTML(value)
  if (value instanceof Markup) return value.toString()
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'number' || value === true) return String(value)
  if (Array.isArray(value)) return value.map(formatValue).join('')
  if (isAstroMarkup(value)) return String(value)
  throw new Error('this component can show text, numbers and plain components only: see eager-markup.ts')
}

function isAstroMarkup(value: unknown): boolean {
  return typeof value === 'object' && value !== null && HTML in value
}

export function addAttribute(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return null
  const text = formatOrdinary(value, name)
  return text === null ? addAnyAttribute(value, name) : new Markup(text)
}
