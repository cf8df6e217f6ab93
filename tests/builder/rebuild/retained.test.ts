/** Hashed files that the code no longer makes: which ones are retained, and for how long. */
import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openRecord } from '../../../src/builder/state/record/open-record.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()
const documents = [user('ana'), product('p1', 'ana')]

function readRetained(): readonly string[] {
  const record = openRecord(path('site/state/record.sqlite'))
  const rows = record.readOthers('retained')
  record.close()
  return rows.map((row) => row.path)
}

function run(setup: Partial<Parameters<typeof runInWorld>[0]>): ReturnType<typeof runInWorld> {
  return runInWorld({ folder: path('site'), documents, ...setup })
}

it('does not retain a file that was lost with the output folder', async () => {
  await run({ code: 'one' })
  rmSync(path('site/dist'), { recursive: true })
  await run({ code: 'two' })
  expect(readRetained()).toEqual([])
})

it('retains a file of earlier code that pages referred to', async () => {
  await run({ code: 'one' })
  await run({ code: 'two' })
  expect(readRetained()).toEqual(['_astro/app.one.js'])
})

it('counts rebuilds between two publishes as one', async () => {
  const publish = (id: string): void => {
    const snapshot = openSnapshot(path('site/state/snapshot.sqlite'))
    snapshot.writePublished(id)
    snapshot.close()
  }
  const isRetained = (): boolean => readRetained().includes('_astro/app.0.js')
  await run({ code: '0' })
  publish('v0')
  for (const code of ['1', '2', '3', '4', '5', '6']) {
    await run({ code })
    expect(isRetained(), `code ${code}`).toBe(true)
  }
  for (const code of ['7', '8', '9']) {
    publish(`v${code}`)
    expect(isRetained(), `version ${code}`).toBe(true)
    await run({ code })
  }
  expect(isRetained()).toBe(false)
})
