/** Mistakes in the coordinator: what was announced is forgotten, or something older goes live. */
import type { Mutation } from '../mutation.ts'

const FINISH = 'src/edge/coordinator/finish-build.ts'
const CLAIM = 'src/edge/coordinator/claim-build.ts'
const PUBLISHING = 'src/edge/coordinator/publishing.ts'
const PUBLISH = 'src/edge/coordinator/publish-version.ts'

export const COORDINATOR_MUTATIONS: readonly Mutation[] = [
  {
    name: 'lose a full read that is asked for during another one',
    file: FINISH,
    text: 'Math.max(standing.full, upTo)',
    broken: 'upTo',
    catchers: ['coordinator'],
  },
  {
    name: 'clear a change that was noticed after the claim',
    file: FINISH,
    text: 'published: upTo,',
    broken: 'published: standing.last,',
    catchers: ['coordinator'],
  },
  {
    name: 'forget that a seller failed',
    file: FINISH,
    text: '      failures,\n      recovered,\n      //',
    broken: '      recovered,\n      //',
    catchers: ['coordinator'],
  },
  {
    name: 'hide a recovery from states with the old page',
    file: FINISH,
    text: 'recovered.filter((seller) => !isChangedSince(seller))',
    broken: '[]',
    catchers: ['tests/edge/coordinator/finish-build.test.ts'],
  },
  {
    name: 'forget an absent seller before a full read',
    file: FINISH,
    text: 'forgetAbsent: Math.min(upTo, full)',
    broken: 'forgetAbsent: upTo',
    catchers: ['coordinator', 'tests/edge/coordinator/finish-build.test.ts'],
  },
  {
    name: 'drop a build that came to nothing',
    file: 'src/edge/coordinator/schedule.ts',
    text: 'unclaimed: { first, last: unclaimed?.last ?? first },',
    broken: 'unclaimed: first < 0 ? null : unclaimed,',
    catchers: ['coordinator'],
  },
  {
    name: 'give an older state only what is not yet published',
    file: CLAIM,
    text: 'ledger.listChanged(have)',
    broken: 'ledger.listChanged(Math.max(have, ledger.standing.published))',
    catchers: ['coordinator'],
  },
  {
    name: 'let a second builder take over a lease',
    file: CLAIM,
    text: 'held !== null && held.builder !== claim.builder',
    broken: 'held !== null && held.builder === ""',
    catchers: ['coordinator'],
  },
  {
    name: 'let an older version go live',
    file: PUBLISH,
    text: 'sequence > newest.sequence',
    broken: 'sequence > 0',
    catchers: ['coordinator'],
  },
  {
    name: 'publish during a hold',
    file: PUBLISH,
    text: "if (held !== null) return { refused: 'held', reason: held.reason }",
    broken: '',
    catchers: ['coordinator'],
  },
  {
    name: 'forget a version whose publisher never reported',
    file: PUBLISHING,
    text: 'return { ...publishing, lease: null, doubtful: { version, sequence, at: until } }',
    broken: 'return version === "" || sequence + until < 0 ? publishing : { ...publishing, lease: null }',
    catchers: ['coordinator'],
  },
  {
    name: 'forget a publish that runs while another version is put live without leave',
    file: PUBLISHING,
    text: 'const running = isOther ? { ...lease, isOverruled: true } : null',
    broken: 'const running = isOther && lease.until < 0 ? lease : null',
    catchers: ['tests/edge/coordinator/publish-version.test.ts'],
  },
  {
    name: 'build nothing after a version was put live without leave',
    file: 'src/edge/coordinator/record-forced.ts',
    text: 'standing: { ...standing, publishing, unclaimed }',
    broken:
      'standing: { ...standing, publishing, unclaimed: standing.unclaimed ?? (unclaimed.last < 0 ? unclaimed : null) }',
    catchers: ['coordinator'],
  },
  {
    name: 'build nothing after a release',
    file: 'src/edge/coordinator/hold-publishing.ts',
    text: '{ ...standing, publishing, unclaimed, notBefore: 0 }',
    broken: '{ ...standing, publishing, notBefore: unclaimed.first * 0 }',
    catchers: ['coordinator'],
  },
]
