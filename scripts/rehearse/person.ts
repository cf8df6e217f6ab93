/** The actions of the person who follows the docs: typing commands, visiting pages, and reading the status. */
import { createCoordinatorClient } from '../../src/builder/publish/coordinator/coordinator-client.ts'
import type { Status } from '../../src/domain/wire/coordinator-status.ts'
import type { EdgeSite } from '../fakes/edge-site.ts'
import type { FakeCloudflare } from '../fakes/fake-cloudflare.ts'
import type { FakeGitHub } from '../fakes/fake-github.ts'
import type { FakeGoogle } from '../fakes/fake-google.ts'
import { readWork } from '../fakes/run-group.ts'
import type { Look } from './patience.ts'
import { awaitWork, createPatience } from './patience.ts'
import type { Said } from './shell.ts'
import { runLine } from './shell.ts'

/** The project's folder, the stand-ins, and the settings that the person uses. */
export interface RehearsalWorld {
  /** The project's folder on the machine of the person who follows the docs. */
  readonly checkout: string
  readonly cloudflare: FakeCloudflare
  readonly site: EdgeSite
  readonly staging: EdgeSite
  readonly github: FakeGitHub
  /** Firestore's API as the Worker calls it, behind Google's authentication. */
  readonly google: FakeGoogle
  /** Values of settings and secrets that the docs name, by name. Acts of the rehearsal add and replace values. */
  readonly values: Record<string, string>
}

export interface Person {
  /**
   * Returns a function that limits a wait. Signs of progress are the activity of the stand-ins, changes of the status,
   * and the processor times of running commands.
   */
  createPatience(): Look
  /** Runs a command line of the docs. `input` is the text for its standard input. */
  type(line: string, input?: string): Promise<Said>
  visit(path: string, site?: EdgeSite): Promise<{ readonly status: number; readonly text: string }>
  readStatus(site?: EdgeSite): Promise<Status>
}

interface Machine {
  readonly environment: Readonly<Record<string, string>>
  /** Aborting it ends the commands, visits and waits in progress. */
  readonly end: AbortSignal
}

/**
 * The processor times of running commands, which are signs of progress, are read only once per this many checks,
 * because each read starts a process.
 */
const LOOKS_PER_WORK = 10

export function createPerson(
  { checkout, cloudflare, site: production, staging, github, google, values }: RehearsalWorld,
  { environment, end }: Machine,
): Person {
  let seen = ''
  let work = ''
  let looks = 0
  const readSigns = (): string => {
    if (looks % LOOKS_PER_WORK === 0) work = readWork()
    looks += 1
    return [cloudflare.calls, google.calls, github.moves, seen, work].join(' ')
  }
  const createBound = (): Look => createPatience(readSigns, { end })
  return {
    createPatience: createBound,
    type: (line, input = '') => {
      const readAll = (): string => [readSigns(), production.calls, staging.calls].join(' ')
      return runLine(line, { folder: checkout, environment, input, end, readSigns: readAll })
    },
    visit: (path, site = production) =>
      awaitWork(read(`${site.origin}${path}`, end), `${path} answers`, createBound()),
    readStatus: async (site = production) => {
      const secrets = [values['REBUILD_SECRET'], values['REBUILD_SECRET_PREVIOUS']].filter(
        (secret) => secret !== undefined,
      )
      const status = await createCoordinatorClient({ url: site.origin, secrets }).status()
      seen = JSON.stringify({ ...status, now: '' })
      return status
    },
  }
}

async function read(
  address: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(address, { signal })
  return { status: response.status, text: await response.text() }
}
