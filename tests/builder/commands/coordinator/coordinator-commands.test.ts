/** The commands `status` and `notify`, with a site that stands in for the public one. */
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { command as notify } from '../../../../src/builder/commands/coordinator/notify.ts'
import { command as status } from '../../../../src/builder/commands/coordinator/status.ts'
import { StandInSite } from '../../../support/publish/stand-in-site.ts'
import type { HereRun } from '../../../support/rebuild/run-here.ts'
import { runHere } from '../../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const LIVE = {
  run: 'own',
  state: 'closed',
  time: '2026-01-01T00:00:00Z',
  renderer: 'r',
  sellers: 1,
  products: 1,
  largest: 1,
}
const STATUS = {
  now: '2026-01-01T01:00:00Z',
  waiting: 2,
  full: false,
  oldest: '2026-01-01T00:59:00Z',
  lease: { builder: 'laptop', until: '2026-01-01T01:01:00Z' },
  failed: 1,
  failing: [{ seller: 'ana', reason: 'bad page', tries: 1, next: '2026-01-01T01:02:00Z' }],
  builders: 1,
  workflow: null,
  tries: 0,
  failures: 0,
  next: null,
  error: null,
  held: null,
  reported: 'own',
  live: LIVE,
  problems: [],
}
let site: StandInSite

beforeEach(async () => {
  site = await new StandInSite(path('live')).start()
  onTestFinished(() => site.close())
})

const environment = (): Record<string, string> => ({ SITE_URL: site.url, REBUILD_SECRET: SECRET })

type Reported = HereRun<Readonly<Record<string, unknown>>>
const run = (definition: typeof notify | typeof status, ...args: readonly string[]): Promise<Reported> =>
  definition === notify
    ? runHere({ name: 'notify', definition: notify }, args, environment())
    : runHere({ name: 'status', definition: status }, args, environment())

it('the status of a site without problems has what waits, fails, and is live', async () => {
  site.answers.set('status', [200, STATUS])
  const { code, said, report } = await run(status)
  expect([code, report['stuck']]).toEqual([0, []])
  for (const shown of ['2 sellers', 'laptop', 'bad page', 'run own', '60 s old'])
    expect(said).toContain(shown)
})

it.each<[string, object]>([
  ['held', { held: 'a rollback' }],
  ['live that was not reported', { live: { ...LIVE, run: 'other' }, lease: null }],
  ['waiting for an hour', { oldest: '2026-01-01T00:00:00Z' }],
])('the status of a site that is %s needs a person', async (_, more) => {
  site.answers.set('status', [200, { ...STATUS, ...more }])
  expect(await run(status)).toMatchObject({ code: 1, report: { stuck: [expect.any(String)] } })
})

it('the status of a site without a coordinator needs a person', async () => {
  site.hasWorker = false
  expect(await run(status)).toMatchObject({ code: 1 })
})

it('a notice names its sellers, in several calls if they are many, or asks for everything', async () => {
  const sellers = Array.from({ length: 25 }, (_, index) => `s${index}`)
  expect(await run(notify, ...sellers)).toMatchObject({ code: 0 })
  expect(await run(notify, '--full')).toMatchObject({ code: 0 })
  const sent = site.calls.map(({ body }) => body['data'])
  expect(sent).toEqual([{ sellers: sellers.slice(0, 20) }, { sellers: sellers.slice(20) }, { full: true }])
})

it.each([[[]], [['ana', '--full']], [['a/b']]])('a notice of %j is refused', async (args) => {
  expect(await run(notify, ...args)).toMatchObject({ code: 2 })
})
