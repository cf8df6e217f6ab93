/** Markup that is the same on all pages, by the name that its component gives it. */
const kept = new Map<string, string>()

/**
 * Attributes of an island that are removed from the markup: only Astro's own element reads them, and built pages have
 * another element (island-element.ts). React needs `prefix` only for `useId`, which no island uses.
 */
const NOT_READ = / (?:uid|prefix|props|client|opts)="[^"]*"| await-children(?:="")?/g

/** Returns the markup of this name. Calls `render` only if the markup is not cached. */
export function keepMarkup(name: string, render: () => Promise<string>): string | Promise<string> {
  return kept.get(name) ?? renderAndKeep(name, render)
}

async function renderAndKeep(name: string, render: () => Promise<string>): Promise<string> {
  const markup = await render()
  // The development server needs the unchanged markup, because it uses Astro's own islands, and must render again after
  // each change of the code. `NODE_ENV` is tested, because it is a constant in the compiled renderer, while
  // `import.meta.env` depends on the environment of the compile.
  if (process.env.NODE_ENV !== 'production') return markup
  kept.set(name, dropUnread(markup))
  return dropUnread(markup)
}

function dropUnread(markup: string): string {
  return markup
    .replace(/<astro-island[^>]*>/g, (tag) => tag.replace(NOT_READ, ''))
    .replaceAll('<!--astro:end-->', '')
}
