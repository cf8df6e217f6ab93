/** `npm run status [-- --json]`: how the site's coordinator stands. */
import { Command } from 'commander'
import { findStuck } from '../../../domain/wire/status-problems.ts'
import type { Connection } from './coordinator-command.ts'
import { EXIT, parseArguments, runWithCoordinator } from './coordinator-command.ts'
import { createProgress } from '../progress.ts'
import { formatStatus } from './format-status.ts'

const command = new Command('npm run status --')
  .description("Show what waits at the site's coordinator, what runs and what failed.")
  .option('--json', 'one JSON object, with what is stuck in it')
  .addHelpText(
    'after',
    `
Environment (or .env): REBUILD_SECRET, the same as the site's; COORDINATOR_URL, by default SITE_URL.
Exit codes: 0 all is well; 1 something is stuck, or the site could not be asked; 2 wrong usage.`,
  )

const isJson = parseArguments(command).opts<{ json?: boolean }>().json === true

const progress = createProgress('status')
process.exitCode = await runWithCoordinator(show, progress.update, fail)

async function show({ url, client }: Connection): Promise<number> {
  const status = await client.status()
  progress.done('')
  const stuck = findStuck(status)
  console.log(isJson ? JSON.stringify({ ...status, stuck }) : formatStatus(url, status, stuck))
  return stuck.length === 0 ? EXIT.done : EXIT.failed
}

function fail(message: string): void {
  progress.fail(message)
  if (isJson) console.log(JSON.stringify({ error: message }))
}
