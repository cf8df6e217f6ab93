/** Markup that SameOnAllPages has rendered, by name. */
export const keptMarkup = new Map<string, string>()

/** What Astro's own island element reads, and the one of built pages (island-element.ts) does not. */
const NOT_READ = / (?:uid|props|client|opts)="[^"]*"| await-children(?:="")?/g

export function dropUnread(markup: string): string {
  return markup
    .replace(/<astro-island[^>]*>/g, (tag) => tag.replace(NOT_READ, ''))
    .replaceAll('<!--astro:end-->', '')
}
