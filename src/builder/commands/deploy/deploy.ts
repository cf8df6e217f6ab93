/** `deploy`: rebuilds the site and publishes it, or performs another action on the published site. */
import type { CoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { openWrangler } from '../../publish/open-place.ts'
import { rollBack } from '../../publish/roll-back.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { keepWorld } from '../rebuild/kept-world.ts'
import type { DeployOptions } from './deploy-options.ts'
import { configureDeploy, parseDeployOptions } from './deploy-options.ts'
import { createDeployReport, runDeploy } from './run-deploy.ts'
import { watchAndDeploy } from './watch-deploy.ts'

export const command: CommandDefinition<DeployOptions> = {
  configure: configureDeploy,
  parse: parseDeployOptions,
  run: deploy,
  blank: createDeployReport('deploy'),
}

const HELD = 'Publishing is held: npm run deploy -- --release ends that and starts a build.'

async function deploy(options: DeployOptions, terminal: Terminal): Promise<CommandResult> {
  const { action } = options
  switch (action.kind) {
    case 'deploy':
    case 'setup':
      return deployOnce(options, terminal)
    case 'watch':
      return watchAndDeploy(options, terminal)
    case 'rollback':
      return rollBackSite(options, action.version, terminal)
    case 'hold': {
      const until = await openClient(options).hold(action.reason)
      terminal.print(HELD)
      if (until !== null) terminal.print(`A builder that had begun may still publish until ${until}.`)
      return { exit: EXIT.done, report: createDeployReport('hold') }
    }
    case 'release':
      await openClient(options).release()
      terminal.print('Publishing is no longer held, and a build starts.')
      return { exit: EXIT.done, report: createDeployReport('release') }
  }
}

async function deployOnce(options: DeployOptions, terminal: Terminal): Promise<CommandResult> {
  const { progress, print, warn } = terminal
  const kept = keepWorld(options, { progress: (text) => progress.update(text), warn })
  try {
    const deployed = await runDeploy(options, kept, { print, warn, start: 0 })
    const exit = deployed.outcome.failed.length > 0 ? EXIT.pageFailed : EXIT.done
    return { exit, report: createDeployReport(options.action.kind, deployed) }
  } finally {
    kept.close()
  }
}

async function rollBackSite(
  options: DeployOptions,
  version: string | null,
  { print, progress }: Terminal,
): Promise<CommandResult> {
  const { configuration, isCoordinated, environment, stage } = options
  const { live, problem } = await rollBack({
    client: isCoordinated ? openClient(options) : null,
    wrangler: openWrangler({ hosting: configuration.hosting, environment, stage }),
    url: configuration.site.url,
    version,
    progress: progress.update,
  })
  progress.done('')
  print(live === null ? 'No marker is live.' : `Run ${live.run} of ${live.time} is live.`)
  print(
    problem === null
      ? HELD
      : `Publishing is NOT held (${problem}): stop the builders, or the next build replaces this version.`,
  )
  const exit = problem === null ? EXIT.done : EXIT.attention
  return { exit, report: { ...createDeployReport('rollback'), run: live?.run ?? null } }
}

function openClient({ configuration }: DeployOptions): CoordinatorClient {
  return createCoordinatorClient(configuration.coordinator, { tries: 3 })
}
