/** Mistakes around changes that the Worker renders itself: one is lost, or counts as answered too early. */
import type { Mutation } from '../mutation.ts'

const SETTLE = 'src/edge/coordinator/changes/settle-change.ts'
const SEND = 'src/edge/coordinator/changes/send-changes.ts'
const LOCAL = 'src/edge/coordinator/changes/local-change-ledger.ts'
const RELEASE = 'src/edge/coordinator/changes/release-changes.ts'

export const CHANGE_LEDGER_MUTATIONS: readonly Mutation[] = [
  {
    name: 'clear a change that was noticed after its lease was given',
    file: SETTLE,
    text: 'before.noticed <= lease.upTo',
    broken: 'before.noticed <= Math.max(before.noticed, lease.upTo)',
    catchers: ['coordinator'],
  },
  {
    name: 'let any lease end that of a seller',
    file: SETTLE,
    text: 'lease?.id !== settled.lease',
    broken: "lease === null || settled.lease === ''",
    catchers: ['coordinator'],
  },
  {
    name: 'let the lease of one seller end those of others',
    file: SETTLE,
    text: 'replaceChanges(standing, [{ before, after }]),\n    answer: {',
    broken:
      'replaceChanges(standing, [{ before, after }, ...records.listOpen().filter((change) => change.lease !== null && change.name !== before.name).map((change) => ({ before: change, after: null }))]),\n    answer: {',
    catchers: ['coordinator', 'tests/edge/coordinator/changes/settle-change.test.ts'],
  },
  {
    name: 'wait forever for a message that nobody answers',
    file: SEND,
    text: '.listEnded(now)\n',
    broken: '.listEnded(now - Number.MAX_SAFE_INTEGER)\n',
    catchers: ['coordinator'],
  },
  {
    name: 'leave a large seller to nobody',
    file: LOCAL,
    text: 'if (isLarge) work',
    broken: "if (isLarge && settled.name === '') work",
    catchers: ['coordinator'],
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
