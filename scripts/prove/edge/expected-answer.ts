/** Renders the expected answer for an address from the story's data, as a clean build with the same code does. */
import {
  createProductPage,
  createUnknownCataloguePage,
  createUnknownProductPage,
} from '../../../src/domain/pages/page.ts'
import { findIdProblem } from '../../../src/domain/documents/page-id.ts'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { createCataloguePage } from '../../../src/domain/objects/object-data.ts'
import { HOME_STORES } from '../../../src/domain/pages/home.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import type { EdgeAnswer } from './edge.ts'
import type { Code } from './stories/happenings.ts'
import type { StoryValue } from './stories/source.ts'
import { createStoryRenderer } from './stories/story-renderer.ts'

interface Address {
  /**
   * The object whose data determines the answer; `null` if the address has an invalid seller id. For the home page: the
   * seller that it lists.
   */
  readonly name: string | null
  readonly isHome: boolean
  /** Id of the product; `null` for the home page and for the catalogue of a seller. */
  readonly product: string | null
}

export interface Expected {
  readonly status: number
  readonly body: string
  /** The page's Content-Security-Policy; `null` for a file of the deployment. */
  readonly policy: string | null
}

export function isExpected({ status, headers, body }: EdgeAnswer, expected: Expected): boolean {
  const { policy } = expected
  const isPolicyRight = policy === null || headers['content-security-policy'] === policy
  return status === expected.status && body === expected.body && isPolicyRight
}

export function parseAddress(path: string): Address {
  if (path === '/') return { name: HOME_STORES[0] ?? null, isHome: true, product: null }
  const [seller = '', product = null] = path.split('/').slice(2).map(decodeURIComponent)
  return findIdProblem(seller) === null
    ? { name: seller, isHome: false, product }
    : { name: null, isHome: false, product }
}

/** `value`: the data of the address's object; `null` if there is no object, or only a tombstone. */
export async function renderExpected(
  { isHome, product }: Address,
  value: StoryValue,
  code: Code,
): Promise<Expected> {
  const renderer = createStoryRenderer(code)
  const render = async (status: number, page: ScreenPage): Promise<Expected> => {
    return { status, body: await renderer.render(page), policy: renderer.policy }
  }
  if (value === null && !isHome) return { ...(await render(404, createUnknownCataloguePage())), policy: null }
  if (isHome || value === null)
    return render(200, { kind: 'home', stores: value === null ? [] : HOME_STORES, social: null })
  if (product === null) return render(200, createCataloguePage(value))
  const page = findProductPage(value, product)
  return page === null ? render(404, createUnknownProductPage(value)) : render(200, page)
}

function findProductPage(value: SellerData, product: string): ScreenPage | null {
  return findIdProblem(product) === null ? createProductPage(value, product) : null
}
