/** Markup that SameOnAllPages has rendered, by name. */
export const keptMarkup = new Map<string, string>()
