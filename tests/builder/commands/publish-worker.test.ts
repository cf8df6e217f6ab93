/** The site learns its code from a builder: once, and again when everything is compared. */
import { mkdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { publishWorker } from '../../../src/builder/commands/objects/publish-worker.ts'
import { parseCommand } from '../../../src/builder/commands/program.ts'
import { command } from '../../../src/builder/commands/rebuild/run-rebuild.ts'
import { parseRebuildOptions } from '../../../src/builder/commands/rebuild/rebuild-options.ts'
import { openSentFiles } from '../../../src/builder/publish/objects/sent-files.ts'
import { createObjectsTwin } from '../../support/objects-twin.ts'
import { SECRET } from '../../support/local-coordinator.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'

const path = useTemporaryFolder()

it('a full read tells it again: the coordinator may have lost its storage', async () => {
  mkdirSync(path('dist/_astro'), { recursive: true })
  const { client } = createObjectsTwin()
  const told: string[] = []
  const goLive = async ({ code }: { readonly code: string }): Promise<{ refill: 'done' }> => (
    told.push(code),
    { refill: 'done' }
  )
  const sent = openSentFiles(path('sent.sqlite'), 'http://localhost:8787')
  const definition = { ...command, parse: parseRebuildOptions }
  const publish = async (...args: readonly string[]): Promise<number> => {
    const all = ['--deploy', '--out', path('dist'), '--state', path('state'), ...args]
    const options = parseCommand({ definition }, all, { HOSTING: 'objects', REBUILD_SECRET: SECRET })
    if (options === null) throw new Error('no options')
    expect(await publishWorker(options, { client: { ...client, goLive }, sent })).toMatchObject({
      failure: null,
    })
    return told.length
  }
  expect([await publish(), await publish(), await publish('--full')]).toEqual([1, 1, 2])
  expect(new Set(told)).toEqual(new Set(['code']))
  sent.close()
})
