/** The tests, and commands that build sites of their own, are independent of the settings of this machine's user. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { runMeasured } from '../../../scripts/measure/run-measured.ts'
import { parseConfiguration } from '../../../src/builder/commands/configuration.ts'
import { NO_SETTINGS } from '../../../src/builder/commands/settings.ts'
import { loadSettings } from '../../../src/builder/commands/stage.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

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
