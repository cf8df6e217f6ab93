/** The proofs can fail: a rebuild that is broken on purpose is caught. `npm run prove:mutations` tries all. */
import { expect, it } from 'vitest'
import { copyProject } from '../../../scripts/prove/copy-project.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'
import { breakProject, MUTATIONS } from '../../../scripts/prove/mutations.ts'
import { proveBroken } from '../../../scripts/prove/run-proof.ts'

const path = useTemporaryFolder()
const PATIENCE = 180_000

it.each(MUTATIONS)('finds the code to $name', (mutation) => {
  expect(() => breakProject(copyProject(path('project')), mutation)).not.toThrow()
})

it(
  'a removal that is forgotten is caught',
  async () => {
    const mutation = MUTATIONS.find(({ name }) => name === 'forget a removal')
    if (mutation === undefined) throw new Error('there is no such mutation')
    const { isCaught, words } = await proveBroken(mutation, 'crash')
    expect(isCaught, words).toBe(true)
    expect(words).toContain('catalogo/gone.html should not be there')
  },
  PATIENCE,
)
