/** Checks that texts of documents occur in a page only at the places meant for them. */
import type { MarkKind } from '../site/hostile.ts'
import type { FoundMark, ReadMarkup } from './find-marks.ts'

export interface PageProblem {
  readonly what: string
  /** Number of the document with the problem; `null` if the problem concerns no document. */
  readonly number: number | null
}

interface PageRules {
  /** Whether the document belongs to the page's seller. */
  readonly isSeller: (number: number) => boolean
  /** Names of elements and attributes that a page may have. */
  readonly names: ReadonlySet<string>
  /** Further places in which texts of kind `shown` may appear. */
  readonly more?: readonly string[]
}

/** Permitted places for each kind of text: places in markup, named as by `readMarkup`, and paths of other files. */
const PLACES: Readonly<Record<MarkKind, readonly string[]>> = {
  shown: [
    'title',
    'bdi',
    'span',
    'meta@content',
    'button@data-title',
    'button@data-text',
    'message',
    'json',
    'g:title',
    'g:description',
  ],
  photo: ['img@src', 'source@srcset', 'link@href', 'link@imagesrcset', 'json', 'g:image_link'],
  id: [
    'li@id',
    'article@id',
    'a@href',
    'a@data-seller',
    'form@action',
    'link@href',
    'meta@content',
    'message',
    'json',
    'sitemaps',
    'code',
    'link',
    'g:id',
    'g:link',
    'g:item_group_id',
  ],
  unseen: [],
}

/** Further permitted places in the answer to a search, which also shows the query. */
export const IN_SEARCH: readonly string[] = ['h1', 'input@value', 'search']

export function checkPage(
  page: ReadMarkup,
  { isSeller, names, more = [] }: PageRules,
): readonly PageProblem[] {
  const foreign = page.marks.filter(({ number }) => !isSeller(number))
  const strange = [...page.names].filter((name) => !names.has(name))
  return [
    ...page.problems.map((what) => ({ what, number: null })),
    ...checkMarks(page.marks, more),
    ...foreign.map(({ number, place }) => ({ what: `a text of another seller is in ${place}`, number })),
    ...strange.map((name) => ({
      what: `${name} is an element or attribute that no page of an honest seller has`,
      number: null,
    })),
  ]
}

export function checkMarks(
  marks: readonly FoundMark[],
  more: readonly string[] = [],
): readonly PageProblem[] {
  const isMeant = ({ kind, place }: FoundMark): boolean =>
    PLACES[kind].includes(place) || (kind === 'shown' && more.includes(place))
  return marks
    .filter((mark) => !isMeant(mark))
    .map(({ kind, number, place }) => ({
      what: `a text of kind ${kind} is in ${place}, where it is not permitted`,
      number,
    }))
}
