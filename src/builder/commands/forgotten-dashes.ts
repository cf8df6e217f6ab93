/** `npm run x --option` without `--`: npm keeps the option for itself and the command runs without it. */
import type { Command } from 'commander'
import { UsageError } from '../state/usage-error.ts'
import type { Environment } from './command.ts'

/** Throws a `UsageError` with the right line. npm hands such options on as `npm_config_…`. */
export function checkForgottenDashes(
  command: Command,
  args: readonly string[],
  environment: Environment,
): void {
  const script = environment['npm_lifecycle_event']
  // Of a command that another program started under npm, the options are not what somebody typed.
  const isTyped = environment['npm_lifecycle_script']?.includes(`vitrina.mjs ${command.name()}`) === true
  if (script === undefined || !isTyped) return
  const taken = command.options.flatMap(({ long, negate }) => {
    const name = (long ?? '').replace(/^--(no-)?/, '')
    const value = environment[`npm_config_${name.replaceAll('-', '_')}`]
    if (value === undefined || name === '') return []
    return [negate || value === 'true' || value === '' ? (long ?? '') : `${long} ${value}`]
  })
  if (taken.length === 0) return
  const start = script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`
  throw new UsageError(
    `npm took ${taken.join(' ')} for itself, so nothing was done. Type: ${[start, '--', ...args, ...taken].join(' ')}`,
  )
}
