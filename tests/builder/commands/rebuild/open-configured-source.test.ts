import { existsSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseConfiguration } from '../../../../src/builder/commands/configuration.ts'
import { openConfigured } from '../../../../src/builder/commands/rebuild/open-configured-source.ts'
import { ShrinkError } from '../../../../src/builder/rebuild/read/shrink-guard.ts'
import { SourceError } from '../../../../src/builder/sources/source.ts'
import { gatherKeys } from '../../sources/reading.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
const before = process.cwd()

// The default database is searched in the working directory first.
beforeEach(() => process.chdir(path()))
afterEach(() => process.chdir(before))

it('makes the default database from the sample on first use, and opens the same file later', async () => {
  const first = await openConfigured(parseConfiguration({}), path())
  expect(await gatherKeys(first.readAll())).toContain('users/1')
  first.close()
  const bytes = readFileSync(path('vitrina.sqlite'))
  const second = await openConfigured(parseConfiguration({}), path())
  second.close()
  expect(readFileSync(path('vitrina.sqlite')).equals(bytes)).toBe(true)
})

it('changes nothing in a database whose log is missing when it is opened for a dry run', async () => {
  const made = await openConfigured(parseConfiguration({}), path())
  made.close()
  const database = new DatabaseSync(path('vitrina.sqlite'))
  database.exec('DROP TABLE changes')
  database.close()
  const bytes = readFileSync(path('vitrina.sqlite'))
  const dry = await openConfigured(parseConfiguration({}), path(), { isDry: true })
  expect(await gatherKeys(dry.readAll())).toContain('users/1')
  dry.close()
  expect(readFileSync(path('vitrina.sqlite')).equals(bytes)).toBe(true)
})

it('refuses any other source that does not exist, and creates no file', async () => {
  const configuration = parseConfiguration({ CATALOGUE_SOURCE: path('shop.sqlite') })
  await expect(openConfigured(configuration, path())).rejects.toThrow(SourceError)
  expect(existsSync(path('shop.sqlite'))).toBe(false)
})

it('does not put the sample in the place of a site with other sellers, and says what to do', async () => {
  const open = (...sellers: readonly string[]) =>
    openConfigured(parseConfiguration({}), path(), { readSellers: () => sellers })
  await expect(open('1', 'ana')).rejects.toThrow(/missing.*sellers such as ana.*backup.*npm run import/)
  await expect(open('ana')).rejects.toThrow(ShrinkError)
  expect(existsSync(path('vitrina.sqlite'))).toBe(false)
  // A site of the sample, such as one whose state is kept between machines.
  ;(await open('1')).close()
  // Once the database is there, other sellers in it are an ordinary change.
  ;(await open('ana')).close()
})
