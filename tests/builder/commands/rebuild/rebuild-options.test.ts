/** Options of a rebuild that exclude each other, and a source of no kind. */
import { expect, it } from 'vitest'
import { command } from '../../../../src/builder/commands/rebuild/run-rebuild.ts'
import { openSource } from '../../../../src/builder/sources/source-kinds.ts'
import { SourceError } from '../../../../src/builder/sources/source.ts'
import { UsageError } from '../../../../src/builder/files/usage-error.ts'
import { parseHere } from '../../../support/rebuild/run-here.ts'

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
