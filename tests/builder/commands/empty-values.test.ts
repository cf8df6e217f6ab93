/** Options whose value is empty, as when a variable of the shell is not set. */
import { expect, it } from 'vitest'
import type { CommandDefinition } from '../../../src/builder/commands/command.ts'
import { command as deploy } from '../../../src/builder/commands/deploy/deploy.ts'
import { command as rebuild } from '../../../src/builder/commands/rebuild/run-rebuild.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { parseHere } from '../../support/rebuild/run-here.ts'

const ENVIRONMENT = { SITE_URL: 'https://vitrina.do', REBUILD_SECRET: `whsec_${'c2VjcmV0'.repeat(4)}` }

/** Returns what each way to write the option is refused with. */
function refuse<Options>(definition: CommandDefinition<Options>, option: string): readonly unknown[] {
  return [[option, ''], [`${option}=`]].map((args) => {
    try {
      return parseHere(definition, args, ENVIRONMENT)
    } catch (error) {
      return error
    }
  })
}

const isRefusal = (option: string): unknown =>
  expect.toSatisfy((error) => error instanceof UsageError && error.message.includes(option))

it('empty values are refused: neither the site of production nor another folder or address takes their place', () => {
  for (const option of ['--env', '--out', '--state', '--source'])
    expect(refuse(rebuild, option)).toEqual([isRefusal(option), isRefusal(option)])
  expect(refuse(deploy, '--env')).toEqual([isRefusal('--env'), isRefusal('--env')])
})
