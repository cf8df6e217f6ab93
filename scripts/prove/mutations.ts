/** All mutations. */
import type { Mutation } from './mutation.ts'
import { CHANGE_MUTATIONS } from './mutations/change-mutations.ts'
import { COORDINATOR_MUTATIONS } from './mutations/coordinator-mutations.ts'
import { EDGE_MUTATIONS } from './mutations/edge-mutations.ts'
import { HOSTILE_MUTATIONS } from './mutations/hostile-mutations.ts'
import { INTAKE_MUTATIONS } from './mutations/intake-mutations.ts'
import { FEED_MUTATIONS } from './mutations/feed-mutations.ts'
import { PLAN_MUTATIONS } from './mutations/plan-mutations.ts'
import { READ_MUTATIONS } from './mutations/read-mutations.ts'
import { SEARCH_MUTATIONS } from './mutations/search-mutations.ts'
import { TRUST_MUTATIONS } from './mutations/trust-mutations.ts'
import { WRITE_MUTATIONS } from './mutations/write-mutations.ts'

export const MUTATIONS: readonly Mutation[] = [
  ...READ_MUTATIONS,
  ...PLAN_MUTATIONS,
  ...WRITE_MUTATIONS,
  ...TRUST_MUTATIONS,
  ...COORDINATOR_MUTATIONS,
  ...EDGE_MUTATIONS,
  ...CHANGE_MUTATIONS,
  ...INTAKE_MUTATIONS,
  ...SEARCH_MUTATIONS,
  ...FEED_MUTATIONS,
  ...HOSTILE_MUTATIONS,
]
