/** The next step of the ten, from an account where nothing was ever opened to a site that shows changes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeCloudflare, PUBLISHED } from '../../../../scripts/fakes/fake-cloudflare.ts'
import {
  readObjectSteps,
  readSteps,
  TEN_STEPS_HEADING as GUIDE,
} from '../../../../scripts/rehearse/read-operate.ts'
import { collectFacts } from '../../../../src/builder/commands/doctor/site-facts.ts'
import type { Diagnosis } from '../../../../src/builder/commands/doctor/ten-steps.ts'
import { diagnose, TEN_STEPS } from '../../../../src/builder/commands/doctor/ten-steps.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { LOCAL_SECRET, startCoordinator } from '../../../support/edge/local-coordinator.ts'
import { DOCUMENTATION, readTable } from '../../../support/run/documentation.ts'
import { replaceLimits } from '../../../support/run/limits.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
const LIVE_SITE = { '/index.html': 'home' }
const OF_OBJECTS = [...PUBLISHED, 'R2', 'Queues']

it('has the steps of the guide, in both lanes', () => {
  const guides = [readSteps(GUIDE), readObjectSteps()]
  for (const steps of guides)
    expect(
      TEN_STEPS.map(({ title }, index) => steps[index]?.title.startsWith(title.replace('.', ''))),
    ).toEqual(TEN_STEPS.map(() => true))
})

it('has what to see, how long it takes, what it costs and what to do of each step in the guide', () => {
  const operate = DOCUMENTATION.filter((page) => page.path === 'docs/operate.md')
  const rows = operate.flatMap((page) => readTable(page, 'step', 'what you see'))
  expect(rows.map(([step]) => step)).toEqual(TEN_STEPS.map((_, index) => String(index + 1)))
  expect(rows.flat().filter((cell) => cell === '')).toEqual([])
})

describe.each(['assets', 'objects'] as const)('the next step with HOSTING=%s', (lane) => {
  const cloudflare = new FakeCloudflare()
  let coordinator: LocalCoordinator
  beforeAll(async () => {
    await cloudflare.start()
    coordinator = await startCoordinator()
    coordinator.twin.target = { kind: 'none', problem: null }
  })
  afterAll(async () => {
    coordinator.close()
    await cloudflare.stop()
  })

  it('is each of the ten in turn, and at last none', async () => {
    // The command gives each call 5 s, and a busy machine may need longer.
    replaceLimits()
    const environment: Record<string, string> = { HOSTING: lane }
    const state = path('state')
    const find = async (): Promise<Diagnosis> => diagnose(await collectFacts({ environment, state }))
    const said: string[] = []
    const findNext = async (): Promise<readonly number[]> => {
      const { steps, next } = await find()
      said.push(steps.find(({ number }) => number === next.at(-1)?.number)?.text ?? '')
      return next.map(({ number }) => number)
    }
    const demand = async (next: number, text: RegExp): Promise<void> =>
      expect([await findNext(), said.at(-1)]).toEqual([[next], expect.stringMatching(text)])
    const { account, stores } = cloudflare

    expect(await findNext()).toEqual([1, 2])
    const { CLOUDFLARE_API_TOKEN: token = '', ...api } = cloudflare.environment
    Object.assign(environment, api, { CLOUDFLARE_API_TOKEN: 'another' })
    await demand(1, /\[code: 9109\]/)
    environment['CLOUDFLARE_API_TOKEN'] = token
    await demand(1, /lacks a permission/)
    account.rights = new Set(['workers', 'r2', 'queues'])
    if (lane === 'objects') {
      await demand(1, /open R2/)
      account.use(['R2'])
    }
    await demand(1, /never opened/)
    account.use(lane === 'objects' ? OF_OBJECTS : PUBLISHED)
    await demand(2, /^REBUILD_SECRET is not set$/)

    environment['REBUILD_SECRET'] = 'secret'
    await demand(2, /must be whsec_/)
    Object.assign(environment, { REBUILD_SECRET: LOCAL_SECRET, NOTICE_SECRET: LOCAL_SECRET })
    await demand(3, /SITE_URL is not set/)

    Object.assign(environment, { CATALOGUE_SOURCE: 'firestore', FIREBASE_PROJECT_ID: 'demo' })
    environment['SITE_URL'] = 'https://vitrina.elsewhere.workers.dev'
    expect(await findNext()).toEqual([3])
    expect(said.at(-1)).toMatch(/CREDENTIALS is not set.*https:\/\/vitrina\.example\.workers\.dev/)
    environment['GOOGLE_APPLICATION_CREDENTIALS'] = path('key.json')
    writeFileSync(path('key.json'), '{"client_email":"reader@example"}')
    environment['SITE_URL'] = coordinator.url
    await demand(4, /nothing has been built/)

    mkdirSync(state)
    writeFileSync(`${state}/record.sqlite`, '')
    await demand(5, /no Worker vitrina/)
    expect((await find()).next[0]?.commands).toEqual([
      'npx wrangler secret put REBUILD_SECRET',
      'npx wrangler secret put NOTICE_SECRET',
      'npm run deploy -- --setup',
    ])
    await cloudflare.seed(LIVE_SITE, 'vitrina-1')
    await demand(5, /secret REBUILD_SECRET/)
    for (const name of ['REBUILD_SECRET', 'NOTICE_SECRET'])
      cloudflare.find('vitrina').changeSecret(name, LOCAL_SECRET)
    if (lane === 'objects') {
      await demand(5, /bucket.*queue.*queue/)
      stores.buckets.add('vitrina-pages')
      const consumer = [{ script: 'vitrina' }]
      for (const queue of ['vitrina-changes', 'vitrina-dead']) stores.queues.set(queue, consumer)
    }
    await demand(6, /no publish is recorded yet/)

    coordinator.twin.hold({ version: cloudflare.live?.id ?? '', sequence: 1 }, 'set up')
    coordinator.twin.release()
    expect(await findNext()).toEqual([7, 8])
    const findGitHub = async () => (await find()).steps[6]?.state
    coordinator.twin.target = { kind: 'address', url: 'https://builder.example', secret: LOCAL_SECRET }
    expect(await findGitHub()).toBe('done')
    coordinator.twin.target = { kind: 'github', api: '', repository: 'owner/name', token: '' }
    expect(await findGitHub()).toBe('unseen')
    await demand(9, /no notice/)

    coordinator.twin.notify('ana')
    // Step 9 cannot be seen, because npm run notify sends the same notice.
    expect(await findNext()).toEqual([9, 10])
    expect(said.at(-1)).toMatch(/^changes wait, and none is known to be live yet$/)
    environment['CATALOGUE_SOURCE'] = path('shop.sqlite')
    await demand(10, /^changes wait/)
    environment['CATALOGUE_SOURCE'] = 'firestore'
    const claim = coordinator.twin.claim(null)
    coordinator.twin.report({ lease: claim?.lease ?? '', upTo: claim?.upTo ?? 0, failed: [] })
    expect(await findNext()).toEqual([])
  })
})
