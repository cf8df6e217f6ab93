/** `npm run x --option` without `--`: npm keeps the option for itself and the command runs without it. */
import type { Command, Option } from 'commander'
import type { Environment } from './command.ts'

/** Nothing was done. The message has the line to type instead. */
export class ForgottenDashesError extends Error {
  override readonly name = 'ForgottenDashesError'
}

interface TakenOption {
  readonly option: Option
  /** One for each time that it was given; `true` where npm took it for a switch. */
  readonly values: readonly string[]
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
  const taken = command.options.flatMap((option) => findTaken(option, environment))
  if (taken.length === 0) return
  const start = script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`
  const names = taken.map(({ option }) => option.long).join(' ')
  throw new ForgottenDashesError(
    `npm took ${names} for itself, so nothing was done. Type: ${[start, '--', ...formatArguments(taken, args)].join(' ')}`,
  )
}

function findTaken(option: Option, environment: Environment): readonly TakenOption[] {
  const name = (option.long ?? '').replace(/^--(no-)?/, '').replaceAll('-', '_')
  const value = environment[`npm_config_${name}`]
  return value === undefined ? [] : [{ option, values: value.split(SEPARATOR) }]
}

/** What npm took stands first: an argument that follows may be its value, which npm does not know of. */
function formatArguments(taken: readonly TakenOption[], args: readonly string[]): readonly string[] {
  const lacking = taken.filter(({ option, values }) => option.required && values.includes('true'))
  // Nothing tells which of them has which value.
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
