/** Mistakes around changes that the Worker renders itself: in leases, in what settles them, in the consumer. */
import type { Mutation } from '../mutation.ts'

const SETTLE = 'src/edge/coordinator/changes/settle-change.ts'
const LEDGER = 'src/edge/coordinator/changes/local-change-ledger.ts'
const OBJECTS = 'src/edge/coordinator/objects/local-object-ledger.ts'
const SEND = 'src/edge/coordinator/changes/send-changes.ts'
const RELEASE = 'src/edge/coordinator/changes/release-changes.ts'
const ENDED = 'replaceChanges(standing, [{ before, after }]),\n    answer: {'

export const CHANGE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'clear a change that was noticed after its message was sent',
    file: SETTLE,
    text: 'if (before.noticed <= lease.upTo) return',
    broken: 'if (before.noticed > 0) return',
    catchers: ['edge', 'coordinator', 'tests/edge/coordinator/changes/settle-change.test.ts'],
  },
  {
    name: 'clear a change with a lease that is over',
    file: SETTLE,
    text: 'if (before === null || lease?.id !== settled.lease)',
    broken: 'if (before === null || lease === null)',
    catchers: ['edge', 'coordinator', 'tests/edge/coordinator/changes/settle-change.test.ts'],
  },
  {
    name: 'wait for a message that nobody answers',
    file: SEND,
    text: '.listEnded(now)',
    broken: '.listEnded(-1)',
    catchers: ['edge', 'coordinator'],
  },
  {
    name: 'leave a seller that is too large to nobody',
    file: LEDGER,
    text: 'if (isLarge) work.onLedger(leaveToBuilder, [settled.name])',
    broken: '',
    catchers: ['edge', 'coordinator'],
  },
  {
    name: 'forget a seller who was put after she was found absent',
    file: OBJECTS,
    text: 'if (isPut) await noticeLate(settled, options)',
    broken: '',
    catchers: ['tests/edge/coordinator/changes/settle-change.test.ts'],
  },
  {
    name: 'believe that a seller is absent who was put meanwhile',
    file: LEDGER,
    text: 'if (isAbsent) lookAgain(work, settled.name)',
    broken: '',
    catchers: ['tests/edge/coordinator/changes/settle-change.test.ts'],
  },
  {
    name: 'let the lease of one seller end those of others',
    file: SETTLE,
    text: ENDED,
    broken: ENDED.replace(
      '[{ before, after }]',
      '[{ before, after }, ...records.listOpen().filter((one) => one.lease !== null && one.name !== before.name).map((one) => ({ before: one, after: null }))]',
    ),
    catchers: ['coordinator', 'tests/edge/coordinator/changes/settle-change.test.ts'],
  },
  {
    name: 'forget what waits when a builder takes over',
    file: RELEASE,
    text: 'answer: open.map(({ name }) => name)',
    broken: 'answer: open.slice(1).map(({ name }) => name)',
    catchers: ['coordinator'],
  },
  {
    name: 'let a full read answer what was noticed after its claim',
    file: RELEASE,
    text: 'lease === null && noticed <= upTo',
    broken: 'lease === null && noticed <= Math.max(noticed, upTo)',
    catchers: ['coordinator'],
  },
  {
    name: 'send all changes into trouble at once',
    file: SEND,
    text: 'return probe === undefined ? [] : [probe]',
    broken: 'return probe === undefined ? [] : records.listDue(now, MAX_SENT - sent)',
    catchers: ['tests/edge/coordinator/changes/settle-change.test.ts'],
  },
]
