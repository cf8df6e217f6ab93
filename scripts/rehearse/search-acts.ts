/**
 * The act that tests the search of a live site: results are current, also after a change, and the status reports the
 * search index.
 */
import { SEARCH_PATH } from '../../src/domain/documents/page-table.ts'
import { formatProductPath } from '../../src/domain/pages/paths.ts'
import type { Scene } from './acts.ts'
import { requireThat, follow, waitUntil } from './acts.ts'
import { REHEARSED_PRODUCT, REHEARSED_SELLER } from './documents.ts'
import type { Surroundings } from './surroundings.ts'

const NAME = 'Khamrah Qahwa'

export const SEARCH_ACTS: Scene = [
  { title: 'the search finds what is live, and a new name after a change', run: search },
]

async function search(around: Surroundings): Promise<readonly string[]> {
  requireThat(await finds(around, 'perfum'), 'the search does not find a product of the site')
  requireThat(!(await finds(around, 'qahwa')), 'the search finds the new name before the product has it')
  await around.shop.setName(REHEARSED_PRODUCT, NAME)
  await waitUntil(around, () => finds(around, 'khamra'), 'the search finds the new name')
  const { text } = await follow(around, 'npm run status')
  const line = text.split('\n').find((one) => /^\s*search\b/.test(one)) ?? ''
  requireThat(
    /3 sellers, 9 products.*compared/.test(line),
    `the status must report an index of 3 sellers and 9 products, but it says: ${line}`,
  )
  return [line.trim()]
}

/** Returns whether the results of `query` list the product that the act renames. */
async function finds(around: Surroundings, query: string): Promise<boolean> {
  const { status, text } = await around.visit(`${SEARCH_PATH}?q=${query}`)
  requireThat(status === 200, `the search answers with status ${status}`)
  return text.includes(`"${formatProductPath(REHEARSED_SELLER, REHEARSED_PRODUCT)}"`)
}
