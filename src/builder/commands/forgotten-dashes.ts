/**
 * Detects `npm run x --option`: without `--` before the option, npm takes the option and does not pass it to the
 * command.
 */
import type { Command, Option } from 'commander'
import type { Environment } from './command.ts'

/** npm took an option of the command, because `--` was missing. The message has the correct command line. */
export class ForgottenDashesError extends Error {
  override readonly name = 'ForgottenDashesError'
}

interface TakenOption {
  readonly option: Option
  /** One value for each use of the option; `'true'` if npm parsed the option as a switch. */
  readonly values: readonly string[]
}

/** Separator with which npm joins the values of a repeated option. */
const SEPARATOR = '\n\n'

/**
 * Throws a `ForgottenDashesError` if npm took an option of the command. npm passes such an option as a variable
 * `npm_config_…`.
 */
export function checkForgottenDashes(
  command: Command,
  args: readonly string[],
  environment: Environment,
): void {
  const script = environment['npm_lifecycle_event']
  // Skips a command that another program starts under npm, because the command inherits npm's variables although its
  // own options are complete.
  const isTyped = `${environment['npm_lifecycle_script']} `.includes(`vitrina.mjs ${command.name()} `)
  if (script === undefined || !isTyped) return
  const taken = command.options.flatMap((option) => findTaken(option, environment))
  if (taken.length === 0) return
  const start = script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`
  const names = taken.map(({ option }) => option.long).join(' ')
  throw new ForgottenDashesError(
    `npm took ${names} as its own option, so nothing was done. Type: ${[start, '--', ...formatArguments(taken, args)].join(' ')}`,
  )
}

function findTaken(option: Option, environment: Environment): readonly TakenOption[] {
  const name = (option.long ?? '').replace(/^--(no-)?/, '').replaceAll('-', '_')
  const value = environment[`npm_config_${name}`]
  return value === undefined ? [] : [{ option, values: value.split(SEPARATOR) }]
}

/**
 * Returns the options that npm took, then the other arguments. If npm took an option without its value, that value is
 * the first argument.
 */
function formatArguments(taken: readonly TakenOption[], args: readonly string[]): readonly string[] {
  const lacking = taken.filter(({ option, values }) => option.required && values.includes('true'))
  // If several options lack a value, it is unknown which argument belongs to which option. The result then has
  // placeholders such as `--port <number>`, and no arguments.
  const isUnclear = lacking.length > 1
  const rest = args.map(quote)
  const options = taken.flatMap(({ option, values }) =>
    values.map((value) => {
      const { long, flags, required, negate } = option
      if (negate || (!required && (value === 'true' || value === ''))) return long ?? ''
      if (value !== 'true') return `${long} ${quote(value)}`
      return isUnclear ? flags : `${long} ${rest.shift() ?? ''}`.trim()
    }),
  )
  return isUnclear ? options : [...options, ...rest]
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
