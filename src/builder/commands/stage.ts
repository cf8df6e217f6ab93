/** The stage: production, or a second site such as `staging`, with its own settings, folders and Worker. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Command } from 'commander'
import { isOneLetterApart } from '../../domain/search/near-words.ts'
import { UsageError } from '../files/usage-error.ts'
import type { Environment, Parsed } from './command.ts'
import { SETTING_DEFAULTS } from './settings.ts'

/** The variable that names the stage. Unset or empty means production. */
const NAME = 'VITRINA_ENV'
const STAGE = /^[a-z][a-z\d-]{0,30}$/

/**
 * Names of settings that a second site never takes from the production site's file: its addresses, and the secrets of
 * calls.
 */
const OWN = /^(SITE_URL|COORDINATOR_URL|\w+_SECRET)$/

/** Returns `null` for production. Throws a `UsageError` if the name is invalid. */
export function readStage(environment: Environment): string | null {
  const stage = environment[NAME] ?? ''
  if (stage === '') return null
  if (STAGE.test(stage)) return stage
  throw new UsageError(
    `${NAME} ${JSON.stringify(stage)} is not the name of an environment: use at most 31 lower-case letters, digits and hyphens, and begin with a letter, as in staging`,
  )
}

/**
 * Returns `.env` for production, otherwise `.env.` followed by the name of the stage. Throws a `UsageError` if the name
 * is invalid.
 */
export function findSettingsFile(environment: Environment): string {
  const stage = readStage(environment)
  return stage === null ? '.env' : `.env.${stage}`
}

/** Adds the option `--env`. Adds `--out` and `--state` if `folders` has their descriptions for the help. */
export function configureStage(
  command: Command,
  folders: { readonly out?: string; readonly state?: string } = {},
): Command {
  const { out, state } = folders
  if (out !== undefined) command.option('--out <folder>', `${out} (default: dist)`)
  if (state !== undefined) command.option('--state <folder>', `${state} (default: .vitrina)`)
  return command.option('--env <name>', 'a second site, such as staging, with settings of its own')
}

/** Returns the folders of the site and of its state. By default, each stage has its own. */
export function readFolders({ flags, environment }: Pick<Parsed, 'flags' | 'environment'>): {
  readonly output: string
  readonly state: string
} {
  const stage = readStage(environment)
  const suffix = stage === null ? '' : `-${stage}`
  const { out, state } = flags
  return {
    output: typeof out === 'string' ? out : `dist${suffix}`,
    state: typeof state === 'string' ? state : `.vitrina${suffix}`,
  }
}

/**
 * Loads the file of the stage and `.env` into the environment. A variable that is already set keeps its value; the
 * stage's file takes precedence over `.env`, from which a second site does not take the settings that match `OWN`.
 * Throws a `UsageError` if the name of the stage is invalid, or if the stage has no file. Also throws it if a
 * file names the stage, or has a name that differs from a setting by one letter.
 */
export function loadSettings(args: readonly string[], environment: NodeJS.ProcessEnv): void {
  const given = findOption(args)
  if (given !== null) environment[NAME] = given
  const stage = readStage(environment)
  const all = readFile('.env')
  if (stage === null) return fill(environment, all)
  fill(environment, readStageFile(stage))
  fill(environment, Object.fromEntries(Object.entries(all).filter(([name]) => !OWN.test(name))))
}

function findOption(args: readonly string[]): string | null {
  const index = args.indexOf('--env')
  if (index !== -1) return args[index + 1] ?? null
  return args.find((arg) => arg.startsWith('--env='))?.slice('--env='.length) ?? null
}

type Values = Readonly<Record<string, string | undefined>>

// Refuses a stage without a file, because a misspelt name would otherwise create another site.
function readStageFile(stage: string): Values {
  const path = findSettingsFile({ [NAME]: stage })
  if (existsSync(path)) return readFile(path)
  throw new UsageError(
    `There is no file ${path} with the settings of ${stage}: write it, or correct the name`,
  )
}

function readFile(path: string): Values {
  if (!existsSync(path)) return {}
  if (!statSync(path).isFile())
    throw new UsageError(`${path} is not a file: it must be a text file with the settings`)
  const values = parseEnv(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  // Refuses a file that names the stage, because the run would then use the folders and the Worker of that stage with
  // the file's address and secrets, which may belong to another site.
  if (NAME in values)
    throw new UsageError(
      `${path} sets ${NAME}: remove it, and use --env or set ${NAME} in the shell or service`,
    )
  for (const name of Object.keys(values)) checkName(name, path)
  return values
}

// Refuses only a name that differs from a setting by one letter, because the file may hold variables of other programs.
function checkName(name: string, path: string): void {
  const known = Object.keys(SETTING_DEFAULTS)
  if (known.includes(name)) return
  const near = known.find((one) => isOneLetterApart(one, name.toUpperCase()))
  if (near !== undefined) throw new UsageError(`${path} sets ${name}, which is not a setting: write ${near}`)
}

function fill(environment: NodeJS.ProcessEnv, values: Values): void {
  for (const [name, value] of Object.entries(values)) environment[name] ??= value
}
