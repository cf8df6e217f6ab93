/** The tables of the documents list the calls of builders, no more and no fewer. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PREFIX } from '../../../src/domain/wire/call.ts'
import { COORDINATOR_CALLS } from '../../../src/domain/wire/calls.ts'
import { SEARCH_CALLS } from '../../../src/domain/wire/search-calls.ts'

const PAGE = readFileSync(new URL('../../../docs/coordinator.md', import.meta.url), 'utf8')

/** The tables whose first column is headed `POST`. */
const TABLES = PAGE.split(/^\| `POST` .*$/m).slice(1)

it.each([
  [TABLES[0], `${PREFIX}/`, COORDINATOR_CALLS],
  [TABLES[1], `${PREFIX}/search/`, SEARCH_CALLS],
])('table %#', (table = '', folder, calls) => {
  const [rows = ''] = table.trimStart().split('\n\n')
  const names = rows.split('\n').flatMap((row) => row.split('|')[1]?.match(/(?<=`)[\w/]+(?=`)/g) ?? [])
  const paths = Object.values(calls).map(({ path }) => PREFIX + path)
  const sent = paths.filter((path) => path !== PREFIX)
  expect(names.map((name) => (name.startsWith('/') ? name : folder + name)).sort()).toEqual(sent.sort())
})
