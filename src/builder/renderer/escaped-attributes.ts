/**
 * Astro's runtime for components, but attributes have no `<` and `>`. Astro escapes neither, although a text with them
 * could then be taken for markup by whatever reads the page as text.
 */
import { addAttribute as addAnyAttribute, unescapeHTML } from 'astro/compiler-runtime'

export * from 'astro/compiler-runtime'

export function addAttribute(...given: Parameters<typeof addAnyAttribute>): unknown {
  const attribute = addAnyAttribute(...given)
  const text = String(attribute)
  // The name of an attribute has none, and Astro has escaped `&`.
  return text.includes('<') || text.includes('>') ? unescapeHTML(escapeBrackets(text)) : attribute
}

export function escapeBrackets(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
