/** The statements of a partial read find entries by key, whatever their number. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import {
  DROP_PARTIAL,
  KEEP_DIFFERENT,
  KEEP_TEXT,
} from '../../../../src/builder/state/snapshot/apply-documents.ts'
import { ALL_GONE } from '../../../../src/builder/state/snapshot/changed-products.ts'
import { LOST } from '../../../../src/builder/state/snapshot/held-removals.ts'
import { INCOMING_SCHEMA, SNAPSHOT_SCHEMA } from '../../../../src/builder/state/snapshot/snapshot-schema.ts'

it.each([
  ['what differs', KEEP_DIFFERENT],
  ['the hashes of texts', KEEP_TEXT],
  ['what would be lost', LOST(DROP_PARTIAL)],
  ['what is gone', ALL_GONE(DROP_PARTIAL)],
])('to keep %s, no entry is read that is not incoming', (_, sql) => {
  const database = new DatabaseSync(':memory:')
  database.function('sitemap_bucket', (seller) => Number(seller === ''))
  database.exec(SNAPSHOT_SCHEMA)
  database.exec(INCOMING_SCHEMA)
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map((row) => String(row['detail']))
  expect(plan.join('\n')).toMatch(/SEARCH (entries|old) USING/)
  expect(plan.filter((step) => /SCAN (entries|old)\b/.test(step))).toEqual([])
})
