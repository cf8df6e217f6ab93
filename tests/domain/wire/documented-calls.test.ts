/** The tables of the documents list the calls of builders, no more and no fewer. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PREFIX } from '../../../src/domain/wire/call.ts'
import { COORDINATOR_CALLS } from '../../../src/domain/wire/calls.ts'

const PAGE = readFileSync(new URL('../../../docs/coordinator.md', import.meta.url), 'utf8')

/** The table whose first column is headed `POST`. */
const [, TABLE = ''] = PAGE.split(/^\| `POST` .*$/m)

it('the table lists the calls', () => {
  const [rows = ''] = TABLE.trimStart().split('\n\n')
  const names = rows.split('\n').flatMap((row) => row.split('|')[1]?.match(/(?<=`)[\w/]+(?=`)/g) ?? [])
  const paths = Object.values(COORDINATOR_CALLS).map(({ path }) => PREFIX + path)
  const sent = paths.filter((path) => path !== PREFIX)
  expect(names.map((name) => (name.startsWith('/') ? name : `${PREFIX}/${name}`)).sort()).toEqual(sent.sort())
})
