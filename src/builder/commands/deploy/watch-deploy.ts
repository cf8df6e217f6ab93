/**
 * `deploy --watch`: a builder that keeps running. It deploys at its start, when the coordinator wakes it, each minute,
 * and when a source changes that can be followed. Keeps the state open and the code loaded.
 */
import { readMessage } from '../../../domain/documents/errors.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { waitForWake } from '../../publish/coordinator/wait-for-wake.ts'
import { createRedactor } from '../../publish/redact.ts'
import { isDamage } from '../../result-codes.ts'
import { BusyError } from '../../state/locks.ts'
import type { CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { followChanges } from '../follow/follow.ts'
import { keepWorld } from '../rebuild/open-world.ts'
import { OutdatedError } from '../rebuild/page-inputs.ts'
import type { DeployOptions } from './deploy-options.ts'
import { createDeploy, createDeployReport } from './run-deploy.ts'

/** In milliseconds. */
const MINUTE = 60_000

/** Ends between two deploys at the first signal. Rejects if the state stays damaged, or if the code has changed. */
export async function watchAndDeploy(options: DeployOptions, terminal: Terminal): Promise<CommandResult> {
  const { source, coordinator, site } = options.configuration
  const redact = createRedactor(options.environment)
  const say = (line: string): void => terminal.print(`${new Date().toISOString()} ${redact(line)}`)
  using kept = keepWorld(options, { progress: () => {}, warn: say })
  let lines: string[] = []
  const run = createDeploy(options, kept, { print: (line) => void lines.push(line), warn: say })
  const work = async (): Promise<number> => {
    lines = []
    try {
      const { outcome, isPublished } = await run()
      // A deploy each minute that finds nothing is not worth a line.
      if (isPublished || !outcome.isIdle) lines.forEach(say)
    } catch (error) {
      if (error instanceof OutdatedError || isDamage(error)) throw error
      if (!(error instanceof BusyError)) say(cleanText(readMessage(error)))
    }
    return MINUTE
  }
  say(`Publishes each change to ${site.url} (stop with Ctrl-C).`)
  const signal = terminal.listenForEnd()
  signal.addEventListener('abort', () => say('Ends after the present deploy, or at once if asked again.'))
  await followChanges({
    source: source === 'firestore' ? null : source,
    signal,
    warn: (message) => say(cleanText(message)),
    wake: (ring) => waitForWake(coordinator, ring),
    work,
  })
  return { exit: EXIT.done, report: createDeployReport('watch') }
}
