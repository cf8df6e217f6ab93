/** The theme colour: a copy of `--awning` in tokens.css, because a meta element cannot read a custom property. */
export const AWNING = { light: '#5e0f29', dark: '#3a0a1b' } as const
