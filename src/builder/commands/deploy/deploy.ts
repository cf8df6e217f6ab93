/** `deploy`: rebuilds the site and publishes it, or performs another action on the published site. */
import type { CoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { openWrangler } from '../../publish/open-place.ts'
import { rollBack } from '../../publish/roll-back.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { keepWorld } from '../rebuild/open-world.ts'
import type { DeployOptions } from './deploy-options.ts'
import { configureDeploy, parseDeployOptions } from './deploy-options.ts'
import { createDeploy, createDeployReport } from './run-deploy.ts'
import { watchAndDeploy } from './watch-deploy.ts'

export const command: CommandDefinition<DeployOptions> = {
  configure: configureDeploy,
  parse: parseDeployOptions,
  run: deploy,
  blank: createDeployReport('deploy'),
}

const HELD = 'Publishing is held: npm run deploy -- --release ends that and starts a build.'

async function deploy(options: DeployOptions, terminal: Terminal): Promise<CommandResult> {
  const { action, text } = options
  switch (action) {
    case 'deploy':
    case 'setup':
      return deployOnce(options, terminal)
    case 'watch':
      return watchAndDeploy(options, terminal)
    case 'rollback':
      return rollBackSite(options, terminal)
    case 'hold': {
      const until = await openClient(options).hold(text ?? '')
      terminal.print(HELD)
      if (until !== null) terminal.print(`A builder that had begun may still publish until ${until}.`)
      break
    }
    case 'release':
      await openClient(options).release()
      terminal.print('Publishing is no longer held, and a build starts.')
  }
  return { exit: EXIT.done, report: createDeployReport(action) }
}

async function deployOnce(options: DeployOptions, terminal: Terminal): Promise<CommandResult> {
  const { progress, print, warn } = terminal
  using kept = keepWorld(options, { progress: progress.update, warn })
  const deployed = await createDeploy(options, kept, { print, warn })()
  const exit = deployed.outcome.failed.length > 0 ? EXIT.pageFailed : EXIT.done
  return { exit, report: createDeployReport(options.action, deployed) }
}

async function rollBackSite(options: DeployOptions, { print, progress }: Terminal): Promise<CommandResult> {
  const { configuration, isCoordinated, environment, stage, text } = options
  const { live, problem } = await rollBack({
    client: isCoordinated ? openClient(options) : null,
    wrangler: openWrangler({ hosting: configuration.hosting, environment, stage }),
    url: configuration.site.url,
    version: text,
    progress: progress.update,
  })
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
