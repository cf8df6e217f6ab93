/** Assumptions about buckets, queues and the cache. */
import { randomUUID } from 'node:crypto'
import type { AskService, Asked, AskWorld, Assumption } from './asking.ts'
import { RACERS } from './asking.ts'
import { askPoison, askQueue } from './ask-queue.ts'

/** Keys that the questions write to the bucket. */
export const PROBE_KEYS = [
  'race',
  'same',
  'notes',
  ...Array.from({ length: 3 }, (_, index) => `list${index}`),
]

const askBucket =
  (what: string, key: string, size: number): AskService =>
  async ({ probe }): Promise<Asked> => ({ answer: await probe.ask('bucket', { what, key, size }) })

/**
 * Max rounds until the cache has kept and deleted an entry. One round may fail, because its calls may reach several
 * data centres, each with its own cache.
 */
const TRIES = 5

async function askCache({ probe }: AskWorld): Promise<Asked> {
  let answer = { isKept: false, isDeleted: false }
  for (let round = 0; round < TRIES && !(answer.isKept && answer.isDeleted); round += 1) {
    const [name, text] = [randomUUID(), randomUUID()]
    const ask = (what: string) => probe.ask('cache', { what, name, text })
    await ask('put')
    const isKept = (await ask('match')) === text
    await ask('delete')
    answer = { isKept, isDeleted: (await ask('match')) === null }
  }
  return { answer }
}

export const ASSUMED_STORES: readonly Assumption[] = [
  {
    part: 'objects',
    claim: `if ${RACERS} writers create an object at the same time, exactly one succeeds`,
    reliesOn: 'src/edge/objects/r2-store.ts',
    ask: askBucket('create', 'race', RACERS),
    expected: { won: 1, isKept: true },
  },
  {
    part: 'objects',
    claim: `if ${RACERS} writers replace the same version of an object, exactly one succeeds`,
    reliesOn: 'src/edge/objects/r2-store.ts',
    ask: askBucket('replace', 'race', RACERS),
    expected: { won: 1, isKept: true },
  },
  {
    part: 'objects',
    claim: 'equal bytes have equal tags, and different bytes have different tags',
    reliesOn: 'src/edge/objects/object-store.ts',
    ask: askBucket('same', 'same', 0),
    expected: { isSame: true, isOther: true },
  },
  {
    part: 'objects',
    claim: 'a list contains objects that were put just before, with their metadata',
    reliesOn: 'src/edge/objects/r2-store.ts',
    ask: askBucket('list', 'list', 3),
    expected: { listed: 3, noted: 3, next: null },
  },
  {
    part: 'objects',
    claim: 'an object keeps 2,000 bytes of metadata',
    reliesOn: 'src/edge/objects/object-store.ts',
    ask: askBucket('notes', 'notes', 2_000),
    expected: { isKept: true },
  },
  {
    part: 'cache',
    claim: 'the cache of the domain keeps what was put, and loses what was deleted',
    reliesOn: 'src/edge/pages/page-cache.ts',
    ask: askCache,
    expected: { isKept: true, isDeleted: true },
  },
  {
    part: 'objects',
    claim: 'messages of the queue arrive within 10 seconds, each once',
    reliesOn: 'src/edge/intake/consume-changes.ts',
    ask: askQueue('arrival'),
    expected: { arrived: 20, doubled: 0, isInTime: true },
  },
  {
    part: 'objects',
    claim:
      'messages arrive in the order in which they were sent (if not, only the order in which sellers are updated changes)',
    reliesOn: 'src/edge/intake/consume-changes.ts',
    ask: askQueue('order'),
    expected: { isOrdered: true },
  },
  {
    part: 'objects',
    claim:
      'a message that fails is delivered again with its number of attempts, and ends in the dead-letter queue',
    reliesOn: 'src/domain/wire/queues.ts',
    ask: askPoison,
    expected: { attempts: [1, 2], isDead: true },
  },
]
