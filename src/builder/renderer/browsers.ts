/** The oldest browsers in which visitors can filter, search and order. Scripts and styles are written for them. */

/** By the names of Vite's targets. */
export const OLDEST_BROWSERS = { chrome: '87', firefox: '78', safari: '14.1', ios: '14.5' } as const

/** Target of scripts: what all of them have. By their names, Vite would also avoid rare faults of some, in longer code. */
export const SCRIPT_TARGET = 'es2020'

export const STYLE_TARGET = Object.entries(OLDEST_BROWSERS).map(([name, version]) => name + version)
