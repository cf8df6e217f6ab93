/**
 * Wraps the store, the cache and the ledger of a task, so that its gate decides whether each operation succeeds. Runs
 * in Node and in workerd.
 */
import { parseNotes } from '../../../src/edge/objects/object-notes.ts'
import type { ObjectStore } from '../../../src/edge/objects/object-store.ts'
import type { HostCache } from '../../../src/edge/pages/page-cache.ts'
import type { Gate } from './gate.ts'
import type { StoryLedger } from './memory/open-ledger.ts'

/**
 * Every operation passes the gate, except a list of a bucket that has none of `keys`, because such a bucket is empty.
 */
export function gateStore(store: ObjectStore, gate: Gate, keys: readonly string[]): ObjectStore {
  return {
    head: (key) => gate.pass({ operation: 'head', target: key }, () => store.head(key)),
    get: (key, count) => gate.pass({ operation: 'get', target: key }, () => store.get(key, count)),
    put: (key, bytes, options) =>
      gate.pass({ operation: 'put', target: key, digest: parseNotes(options).digest }, () =>
        store.put(key, bytes, options),
      ),
    list: async (prefix, after) =>
      keys.some((key) => key.startsWith(prefix))
        ? gate.pass({ operation: 'list', target: prefix }, () => store.list(prefix, after))
        : { objects: [], next: null },
  }
}

export function gateCache(cache: HostCache, gate: Gate, center: string): HostCache {
  const describe = (operation: string, key: unknown): { operation: string; target: string } => ({
    operation,
    target: `${center} ${String(key)}`,
  })
  return {
    match: (key) =>
      gate.pass(describe('match', key), async ({ isIgnored }) =>
        isIgnored === true ? undefined : cache.match(key),
      ),
    put: (key, response) => gate.pass(describe('keep', key), () => cache.put(key, response)),
    delete: (key) =>
      gate.pass(describe('delete', key), async ({ isIgnored }) => isIgnored !== true && cache.delete(key)),
  }
}

export function gateLedger(open: (now: number) => StoryLedger, gate: Gate): StoryLedger {
  const read = <Result>(target: string, work: () => Promise<Result>): Promise<Result> =>
    gate.pass({ operation: 'read the ledger', target }, work)
  const write = <Result>(operation: string, work: () => Promise<Result>): Promise<Result> =>
    gate.pass({ operation, target: 'ledger' }, work)
  return {
    permit: (call) => write('permit', () => open(gate.now()).permit(call)),
    settle: (objects, cause) => write('settle', () => open(gate.now()).settle(objects, cause)),
    // `readKnown` is used to find objects that were deleted by hand. No story deletes objects by hand, so an empty
    // answer suffices, and saves a question for each bucket.
    readKnown: async () => [],
    readListed: (bucket) => read(`bucket ${bucket}`, () => open(gate.now()).readListed(bucket)),
    readBuckets: () => read('buckets', () => open(gate.now()).readBuckets()),
    takeChanges: (messages) => write('take changes', () => open(gate.now()).takeChanges(messages)),
    settleChanges: (settled) => write('settle changes', () => open(gate.now()).settleChanges(settled)),
    noticeChanges: (sellers) => write('notice changes', () => open(gate.now()).noticeChanges(sellers)),
    announce: (notice) => write('announce', () => open(gate.now()).announce(notice)),
    // The next four methods run inside the coordinator. They make no call that could fail on its own, so they do not
    // pass the gate.
    open: (isQueue) => open(gate.now()).open(isQueue),
    claimDue: () => open(gate.now()).claimDue(),
    takeBack: (messages) => open(gate.now()).takeBack(messages),
    readWaiting: () => open(gate.now()).readWaiting(),
    readSiteState: () => read('state', () => open(gate.now()).readSiteState()),
  }
}
