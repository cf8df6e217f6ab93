/** What a monitor sees of a builder, and how it notices an update of the project. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { trackHealth } from '../../../src/builder/commands/service/builder-health.ts'
import { listen } from '../../../src/builder/commands/service/dispatch-listener.ts'
import { watchCode } from '../../../src/builder/commands/service/project-code.ts'
import { SECRET } from '../../support/local-coordinator.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'

const path = useTemporaryFolder()

it('answers GET /health with what it does, and with 503 after three failed builds', async () => {
  const health = trackHealth(() => new Date('2026-01-01T00:00:00Z'))
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    secrets: [SECRET],
    onDispatch: () => {},
    readHealth: health.read,
  })
  const ask = (at = '/health'): Promise<Response> => fetch(`${listener.url}${at}`)
  health.begin()
  expect(await (await ask()).json()).toMatchObject({ state: 'building', builds: 0, lastBuild: null })
  health.end('built')
  for (const result of ['failed', 'failed', 'left to another'] as const) health.end(result)
  expect([(await ask()).status, (await ask('/')).status]).toEqual([200, 405])
  health.end('failed')
  const ill = await ask()
  expect([ill.status, await ill.json()]).toEqual([503, expect.objectContaining({ failures: 3, builds: 1 })])
  health.end('built')
  expect((await ask()).status).toBe(200)
  listener.close()
})

it('notices a change of the project, but not of what a build writes', () => {
  for (const folder of ['src/site', 'dist']) mkdirSync(path(folder), { recursive: true })
  writeFileSync(path('src/site/page.astro'), 'old')
  const check = watchCode(path('.'))
  writeFileSync(path('dist/index.html'), 'built')
  expect(check).not.toThrow()
  writeFileSync(path('src/site/page.astro'), 'new')
  expect(check).toThrow('The code of this project changed')
  writeFileSync(path('src/site/page.astro'), 'old')
  expect(check).not.toThrow()
  writeFileSync(path('package-lock.json'), '{}')
  expect(check).toThrow('must be started again')
})
