/**
 * Finds the marks of documents (unique strings in their texts) in pages, feeds and other text, and returns their
 * places.
 */
import { SEARCH_PATH } from '../../../src/domain/documents/page-table.ts'
import { Parser } from 'htmlparser2'
import type { Mark, MarkKind } from '../site/hostile.ts'

export interface FoundMark {
  readonly kind: MarkKind
  /** Number of the document. */
  readonly number: number
  /**
   * In markup: the name of the element for its text, `element@attribute` for an attribute, `message` or `search` for
   * the address of a WhatsApp message or of a search, `json` for a string of structured data, or the description of a
   * place that is never permitted. In other text: the place that the caller of `findMarks` named.
   */
  readonly place: string
}

export interface ReadMarkup {
  readonly marks: readonly FoundMark[]
  /** Names of elements, and of attributes in the form `element@attribute`. */
  readonly names: ReadonlySet<string>
  /** Descriptions of faults, such as an unescaped bracket. */
  readonly problems: readonly string[]
}

const LETTERS: Readonly<Record<string, MarkKind>> = { n: 'shown', p: 'photo', i: 'id', x: 'unseen' }
const DIGITS = 5
const MARK = new RegExp(`zq([${Object.keys(LETTERS).join('')}])([0-9a-z]{${DIGITS}})`, 'gi')

const ADDRESS = new Set(['href', 'src', 'action', 'formaction', 'data-module'])
const OWN_OR_WEB = /^(?:https?:\/\/|\/|#|$)/

const JSON_LD = 'application/ld+json'

/** Returns the function that creates the marks of a document. `number` must be less than 36^5. */
export function createMark(number: number): Mark {
  const letters = new Map(Object.entries(LETTERS).map(([letter, kind]) => [kind, letter]))
  return (kind) => `zq${letters.get(kind)}${number.toString(36).padStart(DIGITS, '0')}`
}

/** Returns the marks in a text that is not markup. All get the place `place`. */
export function findMarks(text: string, place: string): readonly FoundMark[] {
  return [...text.matchAll(MARK)].map(([, letter = '', digits = '']) => ({
    kind: LETTERS[letter.toLowerCase()] ?? 'unseen',
    number: Number.parseInt(digits, 36),
    place,
  }))
}

/** Returns the marks, names and problems of a page. `isXml`: reads the text as XML, such as a feed, instead of HTML. */
export function readMarkup(html: string, isXml = false): ReadMarkup {
  const marks: FoundMark[] = []
  const names = new Set<string>()
  const problems: string[] = []
  const open: { readonly name: string; readonly isJson: boolean; text: string }[] = []
  const find = (text: string, place: string): void => void marks.push(...findMarks(text, place))
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        names.add(name)
        find(name, 'the name of an element')
        open.push({ name, isJson: attributes['type'] === JSON_LD, text: '' })
        for (const [attribute, value] of Object.entries(attributes)) {
          names.add(`${name}@${attribute}`)
          find(attribute, 'the name of an attribute')
          find(value, formatPlace(name, attribute, value))
          if (/[<>]/.test(value)) problems.push(`${name}@${attribute} contains an unescaped < or >`)
          if (ADDRESS.has(attribute) && !OWN_OR_WEB.test(value))
            problems.push(`${name}@${attribute} leads to ${value.slice(0, 40)}`)
        }
      },
      ontext: (text) => {
        const parent = open.at(-1)
        if (parent?.isJson === true) parent.text += text
        else find(text, parent?.name ?? 'the text outside of all elements')
      },
      oncomment: (text) => find(text, 'a comment'),
      onprocessinginstruction: (name, text) => find(`${name} ${text}`, 'an instruction'),
      onclosetag: () => {
        const closed = open.pop()
        if (closed?.isJson === true) readJson(closed.text, find, problems)
      },
    },
    { decodeEntities: false, xmlMode: isXml },
  )
  parser.end(html)
  return { marks, names, problems }
}

function readJson(text: string, find: (text: string, place: string) => void, problems: string[]): void {
  try {
    JSON.parse(text, (key, value: unknown) => {
      find(key, 'the name of a field of structured data')
      if (typeof value === 'string') find(value, 'json')
      return value
    })
  } catch {
    problems.push('the structured data is not valid JSON')
  }
}

/**
 * Returns the place of an attribute's value. Addresses of WhatsApp messages and of searches are separate places,
 * because no other addresses may contain names from documents.
 */
function formatPlace(name: string, attribute: string, value: string): string {
  if (value.startsWith('https://wa.me/')) return 'message'
  return value.startsWith(`${SEARCH_PATH}?`) ? 'search' : `${name}@${attribute}`
}
