/** The check of exported names, on small files. */
import { expect, it } from 'vitest'
import { checkNames } from '../../../../scripts/audit/code/check-names.ts'
import { useTemporaryFolder, writeTree } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

it('a name that two files export is reported with its files, whatever it names', () => {
  writeTree(path(), {
    'src/a.ts':
      'export interface Row { id: string }\nexport const LIMIT = 1\nexport function readRow(): void {}\n',
    'scripts/b.ts': 'export type Row = string\nexport class LIMIT {}\n',
    'tests/c.mjs': 'const readRow = 1\nexport { readRow }\n',
  })
  expect(checkNames(path())).toEqual([
    'Row: exported by scripts/b.ts, src/a.ts',
    'LIMIT: exported by scripts/b.ts, src/a.ts',
    'readRow: exported by src/a.ts, tests/c.mjs',
  ])
})

it('names that a file keeps for itself, or hands on, or that are fixed by what loads it, are no others', () => {
  writeTree(path(), {
    'src/a.ts': 'export const LIMIT = 1\nexport const command = 1\nexport default 1\n',
    'src/b.ts': "export { LIMIT } from './a.ts'\nexport const command = 2\nexport default 2\n",
    'src/c.ts': 'const LIMIT = 2\nexport const OTHER = LIMIT\n',
  })
  expect(checkNames(path())).toEqual([])
})
