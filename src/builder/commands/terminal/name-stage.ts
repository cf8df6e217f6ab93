/** Adds the stage to the commands in messages about a second site: without it they would act on the site of production. */
import type { Environment } from '../command.ts'
import { findStage } from '../stage.ts'

/** Commands of npm scripts that take `--env`, and commands of the program itself. Not those that have it already. */
const SCRIPT =
  /\b(npm run (?:rebuild|deploy|builder|photos|notify|status))\b(?!(?: --)? --env\b)(?: --(?= ))?/g
const COMMAND = /\b(npx vitrina (?:doctor|conform))\b(?! --env\b)/g

export function nameStage(text: string, environment: Environment): string {
  const stage = findStage(environment)
  if (stage === null) return text
  return text.replace(SCRIPT, `$1 -- --env ${stage}`).replace(COMMAND, `$1 --env ${stage}`)
}
