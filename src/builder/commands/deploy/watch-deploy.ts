/**
 * `deploy --watch`: a builder that keeps running. It deploys at its start, when the coordinator wakes it, each minute,
 * and when a source changes that can be followed. Keeps the state open and the code loaded.
 */
import { toError } from '../../../domain/documents/errors.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { growDelay } from '../../../domain/work/backoff.ts'
import { CallError } from '../../publish/coordinator/coordinator-client.ts'
import { waitForWake } from '../../publish/coordinator/wait-for-wake.ts'
import { createRedactor } from '../../publish/redact.ts'
import { isDamage } from '../../result-codes.ts'
import { followSource } from '../../sources/source-kinds.ts'
import { BusyError } from '../../state/locks.ts'
import type { CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { createFollower } from '../follow/follow.ts'
import type { KeptWorld } from '../rebuild/kept-world.ts'
import { keepWorld } from '../rebuild/kept-world.ts'
import { OutdatedError } from '../rebuild/page-inputs.ts'
import type { DeployOptions } from './deploy-options.ts'
import { createDeployReport, dropUsed, runDeploy } from './run-deploy.ts'

/** In milliseconds. */
const MINUTE = 60_000
const RETRY = { first: 2_000, longest: MINUTE }

/** Ends between two deploys at the first signal. Rejects if the state stays damaged, or if the code has changed. */
export async function watchAndDeploy(options: DeployOptions, terminal: Terminal): Promise<CommandResult> {
  const { source, coordinator } = options.configuration
  const redact = createRedactor(options.environment)
  const say = (line: string): void => terminal.print(`${new Date().toISOString()} ${redact(line)}`)
  const kept = keepWorld(options, { progress: () => {}, warn: say })
  const ending = new AbortController()
  const signal = AbortSignal.any([terminal.listenForEnd(), ending.signal])
  const { ring, run } = createFollower({ work: createWork(options, kept, say), signal })
  const endWait = waitForWake(coordinator, ring)
  try {
    if (source !== 'firestore')
      await followSource(source, { signal, onTrouble: (message) => say(cleanText(message)), onChange: ring })
    say(`Publishes each change to ${options.configuration.site.url} (stop with Ctrl-C).`)
    ring()
    await run()
    return { exit: EXIT.done, report: createDeployReport('watch') }
  } finally {
    endWait()
    // Otherwise following the source would keep the process alive.
    ending.abort()
    kept.close()
  }
}

function createWork(
  options: DeployOptions,
  kept: KeptWorld,
  say: (line: string) => void,
): () => Promise<number> {
  let given = options
  let failures = 0
  return async () => {
    const lines: string[] = []
    try {
      const { outcome, isPublished } = await runDeploy(given, kept, {
        print: (line) => void lines.push(line),
        warn: say,
        start: performance.now(),
      })
      // A deploy each minute that finds nothing is not worth a line.
      if (isPublished || !outcome.isIdle) lines.forEach(say)
      given = dropUsed(options)
      failures = 0
      return MINUTE
    } catch (error) {
      if (error instanceof OutdatedError || isDamage(error)) throw error
      const problem = toError(error)
      if (!(problem instanceof BusyError)) say(cleanText(problem.message))
      // The coordinator wakes again after a failed build, but not if it does not answer.
      return problem instanceof CallError ? growDelay(RETRY, (failures += 1), Math.random()) : MINUTE
    }
  }
}
