/** The stage: production, or a second site such as `staging`, with its own settings, folders and Worker. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Command } from 'commander'
import { isOneLetterApart } from '../../domain/search/word-forms.ts'
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

/** The commands that have `--env`. */
const STAGED = /\b(npm run|npx vitrina) (rebuild|photos|deploy|notify|status)\b( -- )?/g

/** Returns the text with `--env` in the commands that it names, so that they mean the same site. */
export function nameStage(text: string, environment: Environment): string {
  const stage = environment[NAME] ?? ''
  if (stage === '') return text
  return text.replace(STAGED, (_, runner: string, command: string, dashes = '') => {
    const isNpm = runner === 'npm run'
    return `${runner} ${command}${isNpm ? ' --' : ''} --env ${stage}${dashes === '' ? '' : ' '}`
  })
}

/**
 * Loads the file of the stage and `.env` into the environment. `given` is the value of `--env`. A variable that is
 * already set keeps its value; the stage's file takes precedence over `.env`, from which a second site does not take
 * the settings that match `OWN`. Throws a `SettingsError` if the stage has no file, or if a file names the stage, or has
 * a name that differs from a setting by one letter.
 */
export function loadSettings(given: unknown, environment: NodeJS.ProcessEnv): void {
  if (typeof given === 'string') environment[NAME] = given
  const stage = readStage(environment)
  if (stage !== null) fill(environment, readFile(`.env.${stage}`, stage))
  fill(environment, readFile('.env', null), stage === null ? undefined : OWN)
}

type Values = Readonly<Record<string, string | undefined>>

/** A stage without a file is refused, because a misspelt name would otherwise create another site. */
function readFile(path: string, stage: string | null): Values {
  if (!existsSync(path) && stage === null) return {}
  if (!existsSync(path))
    throw new SettingsError(
      `There is no file ${path} with the settings of ${stage}: write it, or correct the name`,
    )
  if (!statSync(path).isFile())
    throw new SettingsError(`${path} is not a file: it must be a text file with the settings`)
  const values = parseEnv(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  // Otherwise the run would use the folders and the Worker of that stage with this file's address and secrets.
  if (NAME in values)
    throw new SettingsError(
      `${path} sets ${NAME}: remove it, and use --env or set ${NAME} in the shell or service`,
    )
  const misspelt = Object.keys(values).flatMap((name) => findMisspelt(name))
  if (misspelt.length > 0)
    throw new SettingsError(misspelt.map((problem) => `${path} sets ${problem}`).join('\n'))
  return values
}

// Only a name that differs from a setting by one letter, because the file may hold variables of other programs.
function findMisspelt(name: string): readonly string[] {
  const known = SETTING_LIST.map((entry) => entry.name)
  if (known.includes(name)) return []
  const near = known.find((one) => isOneLetterApart(one, name.toUpperCase()))
  return near === undefined ? [] : [`${name}, which is not a setting: write ${near}`]
}

function fill(environment: NodeJS.ProcessEnv, values: Values, except?: RegExp): void {
  for (const [name, value] of Object.entries(values))
    if (except?.test(name) !== true) environment[name] ??= value
}
