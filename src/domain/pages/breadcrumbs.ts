/**
 * The breadcrumbs of a page, from the home page to the page itself, as structured data. Source:
 * https://developers.google.com/search/docs/appearance/structured-data/breadcrumb
 */
import type { Json } from '../documents/json.ts'

interface Step {
  readonly name: string
  /** Absolute. */
  readonly address: string
}

export function createBreadcrumbs(steps: readonly Step[]): Json {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, address }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: address,
    })),
  }
}
