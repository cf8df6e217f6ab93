/** A dry run works on a copy of the state. */
import { mkdirSync, readdirSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { EXIT } from '../../../../src/builder/commands/exit-codes.ts'
import { product, writeFolder } from '../../../support/rebuild/documents.ts'
import { rebuildHere } from '../../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
afterEach(() => void vi.unstubAllEnvs())

it('removes its copy of the state even if a database cannot be opened', async () => {
  writeFolder(path('data'), [product('uno', 'ana')])
  // A folder in the place of the file.
  mkdirSync(path('state/snapshot.sqlite'), { recursive: true })
  mkdirSync(path('temporary'))
  vi.stubEnv('TMPDIR', path('temporary'))
  const place = { source: path('data'), output: path('dist'), state: path('state') }
  expect(await rebuildHere(place, '--dry-run')).toMatchObject({ code: EXIT.unfinished })
  expect(readdirSync(path('temporary'))).toEqual([])
})
