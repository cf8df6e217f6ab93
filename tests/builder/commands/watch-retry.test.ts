/** Retries of `rebuild --watch` while its source fails, for each exit code of a failure. */
import { expect, it } from 'vitest'
import type { RebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import { watchSource } from '../../../src/builder/commands/rebuild/watch-source.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { user, writeFolder } from '../../support/documents.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'
import { createWorld } from '../../support/world.ts'

const path = useTemporaryFolder()

it('retries a source that failed, even if no change is reported', async () => {
  const world = createWorld({ folder: path(), documents: [user('ana')] })
  const end = new AbortController()
  const exits: number[] = []
  let isDown = true
  await watchSource({
    world: {
      ...world,
      openSource: () => {
        if (!isDown) return world.openSource()
        isDown = false
        return Promise.reject(new SourceError('the source is down'))
      },
    },
    source: { source: writeFolder(path('source'), [user('ana')]), firestore: null },
    tell: ({ exit }: RebuildReport) => {
      exits.push(exit)
      if (exit === 0) end.abort()
    },
    signal: end.signal,
  })
  expect(exits).toEqual([3, 0])
})
