/**
 * Astro's runtime for components, but with `<` and `>` escaped in attributes. Astro does not escape them, so a program
 * that reads a page as text could take an attribute for markup.
 */
import { addAttribute as addAstroAttribute, unescapeHTML } from 'astro/compiler-runtime'

export * from 'astro/compiler-runtime'

export function addAttribute(...given: Parameters<typeof addAstroAttribute>): unknown {
  const [value] = given
  const attribute = addAstroAttribute(...given)
  if (!/[<>]/.test(String(typeof value === 'object' ? attribute : value))) return attribute
  // Escapes the whole attribute: its name has no brackets, and Astro has already escaped `&`.
  return unescapeHTML(String(attribute).replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
}
