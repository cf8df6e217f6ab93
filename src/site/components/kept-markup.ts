/** Markup that is the same on all pages, by the name that its component gives it. */
const kept = new Map<string, string>()

/**
 * Attributes of an island that only Astro's own element reads. The element of built pages (island-element.ts) ignores
 * them. React needs `prefix` only for `useId`, which no island uses.
 */
const NOT_READ = / (?:uid|prefix|props|client|opts)="[^"]*"| await-children(?:="")?/g

/** Returns the markup of this name. Calls `render` only if the markup is not cached. */
export function keepMarkup(name: string, render: () => Promise<string>): string | Promise<string> {
  return kept.get(name) ?? renderAndKeep(name, render)
}

async function renderAndKeep(name: string, render: () => Promise<string>): Promise<string> {
  const markup = await render()
  // The development server must render again after each change of the code, and uses Astro's own islands. `NODE_ENV` is
  // a constant in the compiled renderer, while `import.meta.env` depends on the environment of the compile.
  if (process.env.NODE_ENV !== 'production') return markup
  kept.set(name, dropUnread(markup))
  return dropUnread(markup)
}

function dropUnread(markup: string): string {
  return markup
    .replace(/<astro-island[^>]*>/g, (tag) => tag.replace(NOT_READ, ''))
    .replaceAll('<!--astro:end-->', '')
}
