/** The tests and measured commands ignore the settings of this machine's user, and empty values are no settings. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { runMeasured } from '../../../scripts/measure/run-measured.ts'
import { parseConfiguration } from '../../../src/builder/commands/configuration.ts'
import { NO_SETTINGS } from '../../../scripts/measure/no-settings.ts'
import { loadSettings } from '../../../src/builder/commands/stage.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { CommandDefinition } from '../../../src/builder/commands/command.ts'
import { command as deploy } from '../../../src/builder/commands/deploy/deploy.ts'
import { command as rebuild } from '../../../src/builder/commands/rebuild/run-rebuild.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { parseHere } from '../../support/rebuild/run-here.ts'

const path = useTemporaryFolder()
const NAMES = Object.keys(NO_SETTINGS).filter((name) => name !== 'VITRINA_ENV')

/** Settings of the user, which no test may see. */
beforeEach(() => writeFileSync(path('.env'), NAMES.map((name) => `${name}=of the user\n`).join('')))

/** Prints the settings that a command in a folder with that file has. */
const PRINT = `
import { loadSettings } from ${JSON.stringify(join(ROOT, 'src/builder/commands/stage.ts'))}
loadSettings(undefined, process.env)
console.log(JSON.stringify(${JSON.stringify(NAMES)}.filter((name) => process.env[name] === 'of the user')))`

it('a test, and a command that it starts, take no setting from .env', () => {
  const before = process.cwd()
  process.chdir(path())
  try {
    const environment = { ...process.env }
    loadSettings(undefined, environment)
    expect(NAMES.filter((name) => environment[name] !== '')).toEqual([])
  } finally {
    process.chdir(before)
  }
})

it('a measured command takes none either, unless it is given one', async () => {
  writeFileSync(path('print.mjs'), PRINT)
  const { stdout } = await runMeasured({ args: ['print.mjs'], folder: path() })
  expect(JSON.parse(stdout)).toEqual([])
  const given = { SITE_NAME: 'of the user' }
  const run = await runMeasured({ args: ['print.mjs'], folder: path(), environment: given })
  expect(JSON.parse(run.stdout)).toEqual(['SITE_NAME'])
})

it('a setting without a value has its default', () => {
  expect(parseConfiguration(NO_SETTINGS)).toEqual(parseConfiguration({}))
})

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
