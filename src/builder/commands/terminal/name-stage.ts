/**
 * Adds `--env` to commands in messages about a second site. Without this option, the commands would act on the
 * production site.
 */
import type { Environment } from '../command.ts'
import { findStage } from '../stage.ts'

/** npm scripts that accept `--env` and do not have it yet. */
const SCRIPT =
  /\b(npm run (?:rebuild|deploy|builder|photos|notify|status))\b(?!(?: --)? --env\b)(?: --(?= ))?/g

export function nameStage(text: string, environment: Environment): string {
  const stage = findStage(environment)
  return stage === null ? text : text.replace(SCRIPT, `$1 -- --env ${stage}`)
}
