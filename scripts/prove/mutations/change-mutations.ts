/** Mistakes around changes that the Worker renders itself: in leases, in what settles them, in the consumer. */
import type { Mutation } from '../mutation.ts'

const SETTLE = 'src/edge/coordinator/changes/settle-change.ts'
const LEDGER = 'src/edge/coordinator/changes/local-change-ledger.ts'
const NOTICE = 'src/edge/coordinator/changes/notice-changes.ts'
const CONSUME = 'src/edge/intake/consume-changes.ts'
const CARRY_OUT = 'const ends = await carryOutChanges([...names], host)'

export const CHANGE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'tell that a change is done before it is put',
    file: CONSUME,
    text: CARRY_OUT,
    broken: `await host.ledger.settleChanges(
    messages.map(({ body }) => ({ ...body, outcome: { kind: 'put' as const }, moved: [] })),
  )
  ${CARRY_OUT}`,
    catchers: ['edge'],
  },
  {
    name: 'clear a change that was noticed after its message was sent',
    file: SETTLE,
    text: 'if (before.noticed <= lease.upTo) return null',
    broken: 'if (before.noticed > 0) return null',
    catchers: ['edge', 'tests/edge/coordinator/changes/settle-change.test.ts'],
  },
  {
    name: 'clear a change with a lease that is over',
    file: SETTLE,
    text: 'if (before === null || lease?.id !== settled.lease)',
    broken: 'if (before === null || lease === null)',
    catchers: ['edge', 'tests/edge/coordinator/changes/settle-change.test.ts'],
  },
  {
    name: 'end the lease of one seller with the outcome of another',
    file: CONSUME,
    text: 'const end = ends.get(name)',
    broken: 'const end = ends.has(name) ? [...ends.values()][0] : undefined',
    catchers: ['edge'],
  },
  {
    name: 'make the data of an object at the edge with one other field',
    file: 'src/edge/intake/create-object-data.ts',
    text: 'hasProfile: profile !== null',
    broken: 'hasProfile: true',
    catchers: ['edge', 'tests/edge/intake/create-object-data.test.ts'],
  },
  {
    name: 'see an object at the edge after its seller was read',
    file: 'src/edge/intake/read-change.ts',
    text: 'const seen = stored?.tag ?? null',
    broken: 'const seen = (await host.store.head(key))?.tag ?? null',
    catchers: ['edge'],
  },
  {
    name: 'tell nobody of products that went to other sellers',
    file: 'src/edge/intake/carry-out-changes.ts',
    text: 'if (moved.size > 0) await ledger.noticeChanges([...moved])',
    broken: 'if (moved.size < 0) await ledger.noticeChanges([...moved])',
    catchers: ['edge'],
  },
  {
    name: 'take trouble for the end of a change',
    file: 'src/edge/intake/change-outcomes.ts',
    text: "return { kind: 'trouble', reason, isPermanent: kind === 'denied' || kind === 'missing', retryAfter }",
    broken: "return { kind: 'put' }",
    catchers: ['edge'],
  },
  {
    name: 'wait for a message that nobody answers',
    file: 'src/edge/coordinator/changes/send-changes.ts',
    text: '.listEnded(now)',
    broken: '.listEnded(-1)',
    catchers: ['edge'],
  },
  {
    name: 'leave a seller that is too large to nobody',
    file: LEDGER,
    text: 'if (isLarge) work.onLedger(leaveToBuilder, [settled.name])',
    broken: '',
    catchers: ['edge'],
  },
  {
    name: 'forget a removal that the guard has refused',
    file: SETTLE,
    text: "if (outcome.kind === 'held') return setBack(free, outcome, moment, moment.settings.dispatchRetry)",
    broken: '',
    catchers: ['edge'],
  },
  {
    name: 'change a store without the home page',
    file: NOTICE,
    text: 'isOnHome ? [...sellers, HOME_OBJECT] : sellers',
    broken: 'isOnHome ? sellers : sellers',
    catchers: ['edge'],
  },
  {
    name: 'forget a notice that arrives while its seller is read',
    file: NOTICE,
    text: 'if (before.lease !== null) return change',
    broken: 'if (before.lease !== null) return before',
    catchers: ['edge'],
  },
]
