/**
 * Adds `--env` to commands in messages about a second site. Without this option, the commands would act on the
 * production site.
 */
import type { Environment } from '../command.ts'
import { findStage } from '../stage.ts'

/** Commands that accept `--env` and do not have it yet: npm scripts, and commands of the program itself. */
const SCRIPT =
  /\b(npm run (?:rebuild|deploy|builder|photos|notify|status))\b(?!(?: --)? --env\b)(?: --(?= ))?/g
const COMMAND = /\b(npx vitrina doctor)\b(?! --env\b)/g

export function nameStage(text: string, environment: Environment): string {
  const stage = findStage(environment)
  if (stage === null) return text
  return text.replace(SCRIPT, `$1 -- --env ${stage}`).replace(COMMAND, `$1 --env ${stage}`)
}
