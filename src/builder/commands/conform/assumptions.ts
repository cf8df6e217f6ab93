/**
 * Assumptions about the services that the project runs on. The local runtime and the stand-ins are checked against the
 * same list.
 */
import { PRODUCTS_OF_CALL } from '../../publish/search/put-sellers.ts'
import { askAlarm, askSwitch } from './ask-object.ts'
import { askDispatch, askFirestore } from './ask-outside.ts'
import type { AskService, Asked, AskWorld, Assumption } from './asking.ts'
import { askObjectSize, askWork } from './asking.ts'
import { ASSUMED_STORES } from './assumed-stores.ts'

const askObject =
  (what: string): AskService =>
  async ({ probe }): Promise<Asked> => ({ answer: await probe.ask('object', { what }) })

function askFile(path: string): AskService {
  return async ({ probe }): Promise<Asked> => {
    const { status, text, headers } = await probe.visit(path)
    const to = headers.get('location')
    return { answer: to === null ? { status, text, header: headers.get('x-probe') } : { status, to } }
  }
}

async function askAssets({ probe }: AskWorld): Promise<Asked> {
  const tag = (await probe.visit('/seller/page')).headers.get('etag')
  const { status } = await probe.visit('/seller/page', { 'if-none-match': tag ?? '' })
  return { answer: { status, hasTag: tag !== null } }
}

export const ASSUMPTIONS: readonly Assumption[] = [
  ...ASSUMED_STORES,
  {
    part: 'database',
    claim: 'a row holds a text of 1.9 MB',
    reliesOn: 'src/edge/search/write-documents.ts',
    ask: askObjectSize('row', 1_900_000),
    expected: '1900000',
  },
  {
    part: 'database',
    claim: 'a statement takes 100 values',
    reliesOn: 'scripts/local/sql-limits.ts',
    ask: askObjectSize('values', 100),
    expected: 'done',
  },
  {
    part: 'database',
    claim: 'a function of SQL takes 32 arguments',
    reliesOn: 'src/edge/search/write-documents.ts',
    ask: askObjectSize('arguments', 32),
    expected: 'done',
  },
  {
    part: 'database',
    claim: 'a statement may have 99,000 characters, and a pattern 50',
    reliesOn: 'scripts/local/sql-limits.ts',
    ask: async (world) => ({
      answer: [
        (await askObjectSize('statement', 99_000)(world)).answer,
        (await askObjectSize('pattern', 50)(world)).answer,
      ],
    }),
    expected: ['done', 'done'],
  },
  {
    part: 'database',
    claim:
      'FTS5 finds whole words and their beginnings, with the tokenizer ascii and without a copy of the text',
    reliesOn: 'src/edge/search/shard-tables.ts',
    ask: askObject('search'),
    expected: { both: [1], beginning: [1, 2, 3], none: [] },
  },
  {
    part: 'database',
    claim: 'JSON is read by json_each and ->>',
    reliesOn: 'src/edge/search/write-documents.ts',
    ask: askObject('json'),
    expected: [{ sum: 3 }],
  },
  {
    part: 'database',
    claim: 'a transaction that throws changes nothing',
    reliesOn: 'src/edge/coordinator/site-coordinator.ts',
    ask: askObject('transaction'),
    expected: { isUndone: true },
  },
  {
    part: 'database',
    claim: 'an alarm replaces the previous one, runs on time, and runs again after a failure',
    reliesOn: 'src/edge/coordinator/site-coordinator.ts',
    ask: askAlarm,
    expected: { runs: 2, isEarly: false, isLate: false },
  },
  {
    part: 'files',
    claim: 'a page answers at its address without .html, with the headers of its folder',
    reliesOn: 'src/builder/rebuild/static/security-headers.ts',
    ask: askFile('/seller/page'),
    expected: { status: 200, text: 'page', header: 'yes' },
  },
  {
    part: 'files',
    claim: 'an address with .html redirects to the address without it',
    reliesOn: 'wrangler.jsonc',
    ask: askFile('/seller/page.html'),
    expected: { status: 307, to: '/seller/page' },
  },
  {
    part: 'files',
    claim:
      'an unknown address gets the nearest 404.html, with the headers that _headers sets for that address',
    reliesOn: 'wrangler.jsonc',
    ask: askFile('/seller/none'),
    expected: { status: 404, text: 'not found at this seller', header: 'yes' },
  },
  {
    part: 'files',
    claim: 'the Worker answers a path that run_worker_first lists, and the rules of _headers do not apply',
    reliesOn: 'src/builder/publish/worker/create-configuration.ts',
    ask: askFile('/worker/page'),
    expected: { status: 200, text: 'worker', header: null },
  },
  {
    part: 'files',
    claim: 'a path that begins with two slashes is answered by the Worker',
    reliesOn: 'src/builder/publish/worker/create-configuration.ts',
    ask: askFile('//seller/page'),
    expected: { status: 200, text: 'worker', header: null },
  },
  {
    part: 'files',
    claim: 'a file has an ETag, and a request with that ETag is answered with 304',
    reliesOn: 'src/builder/publish/look-at-site.ts',
    ask: askAssets,
    expected: { status: 304, hasTag: true },
  },
  {
    part: 'plan',
    claim: `a request may compute for 10 ms, as an update of ${PRODUCTS_OF_CALL} products in the index does`,
    reliesOn: 'src/builder/publish/search/put-sellers.ts',
    ask: askWork(10),
    expected: { answered: 5 },
  },
  {
    part: 'plan',
    claim: 'a request may compute for 40 ms, as a page of 2,000 products does',
    reliesOn: 'src/edge/objects/render-object.ts',
    ask: askWork(40),
    expected: { answered: 5 },
  },
  {
    part: 'database',
    claim: 'another version of the Worker resets its Durable Object: the memory is lost, the rows are kept',
    reliesOn: 'src/builder/publish/coordinator/coordinator-client.ts',
    ask: askSwitch,
    expected: { isReset: true, isStored: true },
  },
  {
    part: 'firestore',
    claim: 'the products of a seller are read by owner.id, with her profile in one transaction',
    reliesOn: 'src/builder/sources/firestore/firestore-reads.ts',
    ask: askFirestore,
    expected: { isRead: true },
  },
  {
    part: 'dispatch',
    claim: 'the workflow begins within 10 minutes after it was started',
    reliesOn: 'src/edge/coordinator/coordinator-settings.ts',
    ask: askDispatch,
    expected: { isInTime: true },
  },
]
