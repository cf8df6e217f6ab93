/** `npm run x --option` without `--`: npm keeps the option for itself and the command runs without it. */
import type { Command } from 'commander'
import type { Environment } from './command.ts'

/** Nothing was done. The message is the line to type instead. */
export class ForgottenDashesError extends Error {
  override readonly name = 'ForgottenDashesError'
}

/** npm joins the values of an option that was given more than once. */
const SEPARATOR = '\n\n'

/** Throws a `ForgottenDashesError`. npm hands the options that it kept on as `npm_config_…`. */
export function checkForgottenDashes(
  command: Command,
  args: readonly string[],
  environment: Environment,
): void {
  const script = environment['npm_lifecycle_event']
  // Of a command that another program started under npm, the options are not what somebody typed.
  const isTyped = `${environment['npm_lifecycle_script']} `.includes(`vitrina.mjs ${command.name()} `)
  if (script === undefined || !isTyped) return
  const taken = command.options.flatMap(({ long, negate }) => {
    const value = environment[`npm_config_${formatName(long)}`]
    return value === undefined ? [] : formatTaken(long ?? '', negate, value)
  })
  if (taken.length === 0) return
  const start = script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`
  // Before what was handed on: the value of an option may be the first of what follows it.
  throw new ForgottenDashesError(
    `npm took ${taken.join(' ')} for itself, so nothing was done. Type: ${[start, '--', ...taken, ...args].join(' ')}`,
  )
}

function formatName(long = ''): string {
  return long.replace(/^--(no-)?/, '').replaceAll('-', '_')
}

function formatTaken(long: string, negate: boolean, value: string): readonly string[] {
  if (negate || value === 'true' || value === '') return [long]
  return value.split(SEPARATOR).map((one) => `${long} ${one}`)
}
