/** Checks that a page is valid HTML, by html-validate. Source: https://html-validate.org/rules/presets.html */
import type { ConfigData } from 'html-validate'
import { HtmlValidate, StaticConfigLoader } from 'html-validate'
import type { PageKind } from '../../../src/domain/documents/page-table.ts'
import type { PageCheck } from './built-page.ts'

/** Max validated pages per kind, because validation is slow and pages of one kind share their markup. */
const LOOKS = 200
const NAMED = 3

const REQUIRED = { required: true }

const CONFIGURATION: ConfigData = {
  root: true,
  extends: ['html-validate:standard'],
  elements: [
    'html5',
    {
      html: { attributes: { lang: REQUIRED } },
      img: { attributes: { alt: REQUIRED, width: REQUIRED, height: REQUIRED } },
      time: { attributes: { datetime: REQUIRED } },
    },
  ],
  rules: {
    'empty-title': 'error',
    'heading-level': ['error', { allowMultipleH1: false, sectioningRoots: ['dialog', 'template'] }],
    'missing-doctype': 'error',
  },
}

/**
 * Resolves the configuration once. The library would do so for every page, which takes a third of this check's time.
 */
class ResolvedOnce extends StaticConfigLoader {
  #resolved: ReturnType<StaticConfigLoader['getConfigFor']> | undefined

  override getConfigFor(name: string): ReturnType<StaticConfigLoader['getConfigFor']> {
    return (this.#resolved ??= super.getConfigFor(name))
  }
}

/** Returns a check that validates the first `LOOKS` pages of each kind and accepts all later pages. */
export function createMarkupCheck(): PageCheck {
  const validator = new HtmlValidate(new ResolvedOnce(CONFIGURATION))
  const looks = new Map<PageKind, number>()
  return ({ kind, html }) => {
    const look = (looks.get(kind) ?? 0) + 1
    looks.set(kind, look)
    if (look > LOOKS) return []
    const messages = validator.validateStringSync(html).results.flatMap((result) => result.messages)
    return messages
      .slice(0, NAMED)
      .map(({ message, line, column }) => `is not valid HTML at ${line}:${column}: ${message}`)
  }
}
