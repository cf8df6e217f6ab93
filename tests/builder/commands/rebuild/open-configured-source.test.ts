/** The source that is opened if no source is configured. */
import { existsSync, readdirSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openConfigured } from '../../../../src/builder/commands/rebuild/open-configured-source.ts'
import { ShrinkError } from '../../../../src/builder/rebuild/shrink-guard.ts'
import { SourceError } from '../../../../src/builder/sources/source.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { command } from '../../../../src/builder/commands/rebuild/run-rebuild.ts'
import { openSource } from '../../../../src/builder/sources/source-kinds.ts'
import { UsageError } from '../../../../src/builder/files/usage-error.ts'
import { parseHere } from '../../../support/rebuild/run-here.ts'

const path = useTemporaryFolder()
const before = process.cwd()
const DEFAULT = { source: 'vitrina.sqlite', firestore: null }

// The default database is in the working directory.
beforeEach(() => process.chdir(path()))
afterEach(() => process.chdir(before))

it('The default database is made from the sample on first use', async () => {
  await (await openConfigured(DEFAULT)).close()
  expect(existsSync(path('vitrina.sqlite'))).toBe(true)
})

it('A default database that is lost is not replaced by the sample if there is a site', async () => {
  await expect(openConfigured(DEFAULT, { mayCreate: false })).rejects.toThrow(ShrinkError)
  expect(readdirSync(path())).toEqual([])
})

it('An explained run reads the sample without making a database', async () => {
  await (await openConfigured(DEFAULT, { isExplained: true })).close()
  expect(readdirSync(path())).toEqual([])
})

it('A missing database of another name is not created', async () => {
  await expect(openConfigured({ source: 'other.sqlite', firestore: null })).rejects.toThrow(SourceError)
  expect(readdirSync(path())).toEqual([])
})

it.each([
  ['--watch', '--dry-run'],
  ['--watch', '--explain'],
])('%s and %s exclude each other', (...args) => {
  const environment = { SITE_URL: 'https://vitrina.do' }
  expect(() => parseHere(command, args, environment)).toThrow(UsageError)
  for (const arg of args) expect(parseHere(command, [arg], environment)).not.toBeNull()
})

it.each(['mysql', 'firebase'])('The source %s is refused, and the kinds are named', async (name) => {
  await expect(openSource(name)).rejects.toThrow(SourceError)
  await expect(openSource(name)).rejects.toThrow(/firestore, .*\.sqlite.*folder/)
})
