/** Asks the services other than Cloudflare: Firestore and GitHub. Changes nothing there. */
import { array, object, optional, parse, string } from 'valibot'
import { formatTime } from '../../format-numbers.ts'
import { openSource } from '../../sources/source-kinds.ts'
import type { Environment } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import type { Asked, AskWorld } from './asking.ts'

/** No seller has this id. */
const NOBODY = 'vitrina-conform'

export async function askFirestore({ environment }: AskWorld): Promise<Asked> {
  const { firestore } = parseConfiguration({ ...environment, CATALOGUE_SOURCE: 'firestore' })
  const source = await openSource('firestore', { firestore })
  const start = performance.now()
  try {
    const kinds: string[] = []
    for await (const { kind } of source.readSellers([NOBODY])) kinds.push(kind)
    const isRead = kinds.join() === 'missing'
    return { answer: { isRead }, note: formatTime(performance.now() - start) }
  } finally {
    await source.close()
  }
}

const RUNS = object({
  workflow_runs: array(object({ created_at: string(), run_started_at: optional(string()) })),
})

/**
 * Max time until a run begins, in milliseconds. Equals `DISPATCH_START_MS`, after which the coordinator dispatches
 * again.
 */
const LONGEST = 600_000

/** Reads how long the ten most recent dispatched runs of the workflow took to begin. Starts no run. */
export async function askDispatch({ environment }: AskWorld): Promise<Asked> {
  const { api, repository, token } = findRepository(environment)
  const response = await fetch(
    `${api}/repos/${repository}/actions/workflows/rebuild.yml/runs?event=workflow_dispatch&per_page=10`,
    { headers: { authorization: `Bearer ${token}`, 'user-agent': 'vitrina' } },
  )
  if (!response.ok) throw new Error(`GitHub answered with status ${response.status} instead of 200`)
  const { workflow_runs: runs } = parse(RUNS, await response.json())
  const delays = runs.map(
    ({ created_at: made, run_started_at: begun = made }) => Date.parse(begun) - Date.parse(made),
  )
  const longest = Math.max(0, ...delays)
  return {
    answer: { isInTime: longest <= LONGEST },
    note:
      runs.length === 0
        ? 'workflow_dispatch has started no run yet'
        : `runs read: ${runs.length}; the slowest began after ${formatTime(longest)}`,
  }
}

function findRepository(environment: Environment) {
  return {
    api: environment['DISPATCH_GITHUB_API'] || 'https://api.github.com',
    repository: environment['DISPATCH_GITHUB_REPOSITORY'] ?? '',
    token: environment['DISPATCH_GITHUB_TOKEN'] ?? '',
  }
}
