/** Names machines, and the persons or workflows that publish, for the coordinator. */
import { hostname, userInfo } from 'node:os'
import type { Environment } from './redact.ts'

/** Max length of the name that the coordinator accepts, in UTF-16 units. */
const LONGEST = 200

const RUN = 'GITHUB_RUN_ID'

/** Returns a name such as `GitHub run 123` or `ana@laptop`. */
export function findActor(environment: Environment): string {
  const machine = findMachine(environment)
  const name = environment[RUN] === undefined ? `${findUser()}@${machine}` : machine
  return name.slice(0, LONGEST).toWellFormed()
}

/**
 * Returns the host name, or a name such as `GitHub run 123`, because all machines of GitHub have the same host name.
 * All attempts of a run have the same name.
 */
export function findMachine(environment: Environment): string {
  const run = environment[RUN]
  return run === undefined ? hostname() : `GitHub run ${run}`
}

function findUser(): string {
  try {
    return userInfo().username
  } catch {
    // `userInfo` throws for a user id without a name, as in some containers.
    return 'someone'
  }
}
