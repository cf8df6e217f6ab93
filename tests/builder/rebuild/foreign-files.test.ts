/** Files in the output folder that are not of the site are left alone, whatever the run. */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { user } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder, writeTree } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()
const run = (setup: Partial<WorldSetup> = {}) =>
  runInWorld({ folder: path(), documents: [user('ana')], ...setup })

const FOREIGN = ['.git/HEAD', '.git/refs/heads/main', 'CNAME', 'notes/mine.txt']

const write = (name: string): void => writeTree(path('dist'), { [name]: 'mine' })

it.each<[string, () => void, Partial<WorldSetup>]>([
  ['checks every file', () => {}, { options: { isVerify: true } }],
  ['finds no state', () => rmSync(path('state'), { recursive: true }), {}],
  ['finds another record', () => rmSync(path('state/record.sqlite')), {}],
  ['finds the marker of another run', () => writeFileSync(path('dist/.vitrina'), 'another'), {}],
])(
  'a run that %s leaves them alone and names them, and removes what was of the site',
  async (_, lose, setup) => {
    await run({ documents: [user('ana'), user('eva')] })
    for (const name of FOREIGN) write(name)
    write('catalogo/old.html')
    write('_astro/old.js')
    symlinkSync(path('dist/notes'), path('dist/link'))
    lose()
    const { preparation, deleted } = await run({
      ...setup,
      options: { ...setup.options, isShrinkAllowed: true },
    })
    expect(preparation.check?.foreign.toSorted()).toEqual(FOREIGN)
    for (const name of FOREIGN) expect(readFileSync(path('dist', name), 'utf8')).toBe('mine')
    expect(deleted).toEqual(expect.arrayContaining(['_astro/old.js', 'catalogo/old.html', 'link']))
  },
)
