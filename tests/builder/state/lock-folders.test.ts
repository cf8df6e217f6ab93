/** Two rebuilds never share a state folder or an output folder. */
import { describe, expect, it } from 'vitest'
import { BusyError, lockFolders } from '../../../src/builder/state/lock-folders.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'

const path = useTemporaryFolder()

describe('while a run holds its folders', () => {
  it.each([
    { shared: 'state folder', other: { state: 'state', output: 'elsewhere' } },
    { shared: 'output folder', other: { state: 'elsewhere', output: 'dist' } },
  ])('another run with the same $shared is refused, and takes no lock of its own', ({ other }) => {
    const locks = lockFolders({ state: path('state'), output: path('dist') })
    const second = { state: path(other.state), output: path(other.output) }
    expect(() => lockFolders(second)).toThrow(BusyError)
    for (const lock of locks) lock.release()
    for (const lock of lockFolders(second)) lock.release()
  })

  it('a run with other folders is not refused', () => {
    const locks = [
      ...lockFolders({ state: path('state'), output: path('dist') }),
      ...lockFolders({ state: path('state-2'), output: path('dist-2') }),
    ]
    expect(locks).toHaveLength(4)
    for (const lock of locks) lock.release()
  })
})
