/**
 * Astro's runtime for components, but with `<` and `>` escaped in attributes. Astro does not escape them, so a program
 * that reads a page as text could take an attribute for markup.
 */
import { addAttribute as addAnyAttribute, unescapeHTML } from 'astro/compiler-runtime'

export * from 'astro/compiler-runtime'

export function addAttribute(...given: Parameters<typeof addAnyAttribute>): unknown {
  const [value, name, ...options] = given
  const ordinary = options.length === 0 ? formatOrdinary(value, name) : null
  if (ordinary !== null) return unescapeHTML(ordinary)
  const attribute = addAnyAttribute(...given)
  const text = String(attribute)
  // Escapes the whole attribute: its name has no brackets, and Astro has already escaped `&`.
  return text.includes('<') || text.includes('>') ? unescapeHTML(escapeBrackets(text)) : attribute
}

/**
 * Returns an attribute with a text or a number as its value; `null` for any other value, or if Astro treats the name in
 * a special way.
 */
export function formatOrdinary(value: unknown, name: string): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const { opening, empty } = findForms(name)
  if (opening === null) return null
  if (value === '') return empty
  return `${opening}${typeof value === 'string' && SPECIAL.test(value) ? escapeValue(value) : value}"`
}

const SPECIAL = /[&"<>]/

function escapeValue(text: string): string {
  return escapeBrackets(text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'))
}

interface AttributeForms {
  /**
   * The text before the value, such as ` id="`; `null` for an attribute that Astro treats in a special way, such as
   * `class:list`.
   */
  readonly opening: string | null
  /** The attribute with an empty value. */
  readonly empty: string
}

// Keeps the forms of each attribute name, because Astro would examine the name again at each call.
const forms = new Map<string, AttributeForms>()

function findForms(name: string): AttributeForms {
  const known = forms.get(name)
  if (known !== undefined) return known
  const isOrdinary = String(addAnyAttribute('x', name)) === ` ${name}="x"`
  const found = { opening: isOrdinary ? ` ${name}="` : null, empty: String(addAnyAttribute('', name)) }
  forms.set(name, found)
  return found
}

function escapeBrackets(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
