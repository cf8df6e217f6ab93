/** The stage: production, or a second site such as `staging`, with its own settings, folders and Worker. */
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Command } from 'commander'
import { isOneLetterApart } from '../../domain/documents/text.ts'
import type { Environment, Parsed } from './command.ts'
import { SETTING_LIST, SettingsError } from './settings.ts'

/** The variable that names the stage. Unset or empty means production. */
const NAME = 'VITRINA_ENV'
const STAGE = /^[a-z][a-z\d-]{0,30}$/

/** Settings that a second site never takes from the production site's file: its addresses, and the secrets of calls. */
const OWN = /^(SITE_URL|COORDINATOR_URL|\w+_SECRET)$/

/** Returns `null` for production. Throws a `SettingsError` if the name is invalid. */
export function readStage(environment: Environment): string | null {
  const stage = environment[NAME] ?? ''
  if (stage === '') return null
  if (STAGE.test(stage)) return stage
  throw new SettingsError(
    `${JSON.stringify(stage)} is not the name of a site: use at most 31 lower-case letters, digits and hyphens, and begin with a letter, as in --env staging`,
  )
}

export function findSettingsFile(environment: Environment): string {
  const stage = readStage(environment)
  return stage === null ? '.env' : `.env.${stage}`
}

/** Adds the option `--env`. */
export function configureStage(command: Command): Command {
  return command.option('--env <name>', 'a second site, such as staging, with settings of its own')
}

/** Adds the options `--out`, `--state` and `--env`. */
export function configureFolders(command: Command): Command {
  command.option('--out <folder>', 'folder of the site (default: dist)')
  return configureStage(command.option('--state <folder>', 'folder of the state (default: .vitrina)'))
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
 * Loads the file of the stage and `.env` into the environment. `given` is the value of `--env`. A variable that is
 * already set keeps its value; the stage's file takes precedence over `.env`, from which a second site does not take
 * the settings that match `OWN`. Throws a `SettingsError` if the stage has no file, which would be another site than the
 * one that was meant, or if a file has a name that is wrong.
 */
export function loadSettings(given: unknown, environment: NodeJS.ProcessEnv): void {
  if (typeof given === 'string') environment[NAME] = given
  const stage = readStage(environment)
  const file = findSettingsFile(environment)
  if (stage !== null && !existsSync(file))
    throw new SettingsError(
      `There is no file ${file} with the settings of ${stage}: write it, or correct the name`,
    )
  for (const [name, value] of Object.entries(readFile(file))) environment[name] ??= value
  if (stage === null) return
  for (const [name, value] of Object.entries(readFile('.env')))
    if (!OWN.test(name)) environment[name] ??= value
}

function readFile(path: string): NodeJS.Dict<string> {
  if (!existsSync(path)) return {}
  const values = parseEnv(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  const problems = Object.keys(values).flatMap((name) => describeWrong(name) ?? [])
  if (problems.length === 0) return values
  throw new SettingsError(problems.map((problem) => `${path} sets ${problem}`).join('\n'))
}

/** Returns `null` unless the name is one letter apart from a setting's. The file may hold variables of other programs. */
function describeWrong(name: string): string | null {
  // Otherwise the run would use the folders and the Worker of that stage with this file's address and secrets.
  if (name === NAME) return `${NAME}: remove it, and use --env or set ${NAME} in the shell or service`
  const known = SETTING_LIST.map((entry) => entry.name)
  const near = known.find((one) => isOneLetterApart(one, name.toUpperCase()))
  return near === undefined || known.includes(name) ? null : `${name}, which is not a setting: write ${near}`
}
