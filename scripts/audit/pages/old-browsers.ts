/** Finds features in scripts and styles that the oldest supported browsers lack, according to MDN's data. */
import { openBrowserData } from '../support/browser-data.ts'
import { findNewInScript } from '../support/script-features.ts'
import { findNewInStyle } from '../support/style-features.ts'
import type { Element, PageCheck } from './built-page.ts'
import { findNamed, readPageText } from './built-page.ts'

interface SupportCheck {
  readonly checkPage: PageCheck
  /** Returns the problems of a script as phrases that follow its path. */
  checkScript(code: string): readonly string[]
}

/**
 * Members of the project's own objects. They are not reported, because they only share their names with features of
 * browsers.
 */
const OWN = 'address available element notify query show subscribe'

/**
 * Features with a substitute: without `share`, the text is copied; `src/site/islands/order/stand-ins.ts` replaces a
 * missing `showModal`.
 */
const REPLACED = 'share showModal'

const SCRIPTS = `${OWN} ${REPLACED}`.split(' ')

/** Selectors, at-rules, media features, properties and units without which a page looks plainer but still works. */
const STYLES = [
  ':focus-visible @page :has :-webkit-search-cancel-button scripting forced-colors forced-color-adjust aspect-ratio',
  'content-visibility contain-intrinsic-size color-scheme cursor outline overflow-wrap overscroll-behavior scroll-padding-inline',
  'scroll-snap-type scrollbar-width :-webkit-scrollbar text-wrap user-select dvh',
].flatMap((names) => names.split(' '))

/**
 * Text that identifies the chunks of React. These are not checked, because React tests for the features that it uses.
 */
const REACT = 'react.transitional.element'

/** Returns checks that report on each script and style only once, even if many pages contain it. */
export function createSupportCheck(): SupportCheck {
  const seen = new Set<string>()
  const check = (text: string, find: typeof findNewInScript, known: readonly string[]): readonly string[] => {
    if (text === '' || seen.has(text)) return []
    seen.add(text)
    const found = [...find(text, openBrowserData())].filter(
      (name) => !known.includes(name.replace(/: .*/, '')),
    )
    return found.map((name) => `uses ${name}, which the oldest supported browsers lack`)
  }
  const checkScript = (code: string): readonly string[] =>
    code.includes(REACT) ? [] : check(code, findNewInScript, SCRIPTS)
  return {
    checkScript,
    checkPage: ({ tree }) => [
      ...findNamed(tree, 'script')
        .filter(isClassic)
        .flatMap((script) => checkScript(readPageText(script))),
      ...findNamed(tree, 'style').flatMap((style) => check(readPageText(style), findNewInStyle, STYLES)),
    ],
  }
}

function isClassic({ attribs }: Element): boolean {
  return attribs['type'] === undefined
}
