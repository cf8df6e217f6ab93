/** What the browser paints around a page: `--awning` of the token file, which a meta element cannot read. */
export const AWNING = { light: '#5e0f29', dark: '#3a0a1b' } as const
