/** The oldest browsers in which visitors can filter, search and order. Scripts and styles are compiled for them. */

/** The keys are Vite's names for targets. */
export const OLDEST_BROWSERS = { chrome: '87', firefox: '78', safari: '14.1', ios: '14.5' } as const

/**
 * Target of scripts: the version of JavaScript that all these browsers support. With the browsers themselves as the
 * target, Vite would also work around rare bugs of some of them, and the code would be longer.
 */
export const SCRIPT_TARGET = 'es2020'

export const STYLE_TARGET = Object.entries(OLDEST_BROWSERS).map(([name, version]) => name + version)

/**
 * Vite's option for styles: without it, Vite also applies a PostCSS configuration that it finds, which is no input of a
 * compile and may be outside the project.
 */
export const OWN_CSS = { postcss: {} } as const
