/** The stage: production, or a second site such as `staging`, with its own settings, folders and Worker. */
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Command } from 'commander'
import { UsageError } from '../state/usage-error.ts'
import type { Environment, Parsed } from './command.ts'

/** `VITRINA_ENV` names it; unset or empty for production. */
const NAME = 'VITRINA_ENV'
const STAGE = /^[a-z][a-z\d-]{0,30}$/

/** What a second site never takes from the file of production: where it is, and what opens it. */
const OWN = /^(SITE_URL|COORDINATOR_URL|\w+_SECRET(_PREVIOUS)?)$/

/** Returns `null` for production. Throws a `UsageError`. */
export function readStage(environment: Environment): string | null {
  const stage = environment[NAME] ?? ''
  if (stage === '') return null
  if (STAGE.test(stage)) return stage
  throw new UsageError(`${NAME} ${JSON.stringify(stage)} is not the name of an environment, such as staging`)
}

/** Adds the option `--env` and those for the folders that a stage has of its own. */
export function configureStage(
  command: Command,
  folders: { readonly out?: string; readonly state?: string } = {},
): Command {
  const { out, state } = folders
  if (out !== undefined) command.option('--out <folder>', `${out} (default: dist)`)
  if (state !== undefined) command.option('--state <folder>', `${state} (default: .vitrina)`)
  return command.option(
    '--env <name>',
    'a second site: staging uses .env.staging, dist-staging, .vitrina-staging',
  )
}

/** The folders of the site and of its state. */
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

/** Loads `.env` and the file of the stage. A variable that is set already stays; the stage's file is before `.env`. */
export function loadSettings(args: readonly string[], environment: NodeJS.ProcessEnv): void {
  const given = findOption(args)
  if (given !== null) environment[NAME] = given
  const stage = readStage(environment)
  const all = readFile('.env')
  if (stage === null) return fill(environment, all)
  fill(environment, readFile(`.env.${stage}`))
  fill(environment, Object.fromEntries(Object.entries(all).filter(([name]) => !OWN.test(name))))
}

function findOption(args: readonly string[]): string | null {
  const index = args.indexOf('--env')
  if (index !== -1) return args[index + 1] ?? null
  return args.find((arg) => arg.startsWith('--env='))?.slice('--env='.length) ?? null
}

function readFile(path: string): Readonly<Record<string, string | undefined>> {
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}
}

function fill(environment: NodeJS.ProcessEnv, values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) environment[name] ??= value
}
