/** Names the person or workflow that publishes, for the coordinator's log. */
import { hostname, userInfo } from 'node:os'
import type { Environment } from './redact.ts'

/** Max length of the name that the coordinator accepts, in UTF-16 units. */
const LONGEST = 200

/** Returns a name such as `GitHub run 123` or `ana@laptop`. */
export function findActor(environment: Environment): string {
  const run = environment['GITHUB_RUN_ID']
  const name = run === undefined ? `${findUser()}@${hostname()}` : `GitHub run ${run}`
  return name.slice(0, LONGEST).toWellFormed()
}

function findUser(): string {
  try {
    return userInfo().username
  } catch {
    // `userInfo` throws for a user id without a name, as in some containers.
    return 'someone'
  }
}
