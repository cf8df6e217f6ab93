/** The assumptions of the project, asked of the stand-ins for Cloudflare with the real tool and the real runtime. */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FakeCloudflare, PUBLISHED } from '../../../../scripts/fakes/fake-cloudflare.ts'
import type { Bill } from '../../../../src/builder/publish/cloudflare/prices.ts'
import { createRuntimeServer } from '../../../../scripts/fakes/runtime-server.ts'
import { ASSUMPTIONS } from '../../../../src/builder/commands/conform/assumptions.ts'
import { findLack } from '../../../../src/builder/commands/conform/conform-options.ts'
import { command, conclude } from '../../../../src/builder/commands/conform/conform.ts'
import type { Finding } from '../../../../src/builder/commands/conform/format-findings.ts'
import { ROOT } from '../../../../src/builder/state/project-folder.ts'
import { startAlteringProxy } from '../../../support/edge/altering-proxy.ts'
import { parseHere } from '../../../support/rebuild/run-here.ts'
import { replaceLimits } from '../../../support/run/limits.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createTestTerminal } from '../../../support/run/test-terminal.ts'

const NAME = 'vitrina-conform'
const path = useTemporaryFolder()

it('names a file of the project for each assumption', () => {
  const lost = ASSUMPTIONS.filter(({ reliesOn }) => !existsSync(join(ROOT, reliesOn)))
  expect(lost.map(({ reliesOn }) => reliesOn)).toEqual([])
})

it('names the setting that would make a question asked', () => {
  const parts = new Set(ASSUMPTIONS.map(({ part }) => part))
  const listLacks = (environment: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const options = parseHere(command, args, environment)
    return [...parts].flatMap((part) => findLack(part, options) ?? [])
  }
  const token = { CLOUDFLARE_API_TOKEN: 'token', SITE_URL: 'https://vitrina.do' }
  const outside = [/^CATALOGUE_SOURCE=firestore/, /^DISPATCH_GITHUB_TOKEN/].map((one) =>
    expect.stringMatching(one),
  )
  expect(listLacks(token)).toEqual(['HOSTING=objects', expect.stringContaining('--at'), ...outside])
  expect(listLacks({ ...token, HOSTING: 'objects' }, '--at', 'https://conform.vitrina.do')).toEqual(outside)
  // At workers.dev the missing cache is found.
  expect(listLacks({ ...token, SITE_URL: 'https://a.b.workers.dev' })).toEqual([
    'HOSTING=objects',
    ...outside,
  ])
  const all = { CATALOGUE_SOURCE: 'firestore', FIREBASE_PROJECT_ID: 'demo' }
  const github = { DISPATCH_GITHUB_TOKEN: 'token', DISPATCH_GITHUB_REPOSITORY: 'owner/name' }
  expect(listLacks({ ...all, ...github }, '--local')).toEqual([])
})

interface Service {
  readonly cloudflare: FakeCloudflare
  readonly origin: string
}

async function startService(): Promise<Service> {
  const cloudflare = new FakeCloudflare({
    serve: (name, assets, stores) =>
      createRuntimeServer({
        folder: mkdtempSync(join(tmpdir(), 'vitrina-edge-')),
        assets,
        listConsumers: () => stores.listConsumers(name),
        hosts: () => ({}),
      }),
  })
  await cloudflare.start()
  cloudflare.account.use([...PUBLISHED, 'R2', 'Queues'])
  return { cloudflare, origin: (await cloudflare.openSite(NAME)).origin }
}

/** Lists everything in the account. */
function listMade({ cloudflare }: Service): readonly unknown[] {
  const { stores, domains } = cloudflare
  const versions = cloudflare.find(NAME).versions.map(({ id }) => id)
  return [...versions, ...stores.buckets, ...stores.queues.keys(), ...domains.owners.keys()]
}

function parse({ cloudflare, origin }: Service, ...args: readonly string[]) {
  const environment = { ...cloudflare.environment, HOSTING: 'objects' }
  return parseHere(command, ['--at', origin, '--state', path('state'), ...args], environment)
}

let printed: string[]
beforeEach(() => (printed = []))

function run(
  service: Service,
  args: readonly string[] = [],
  onPrint: () => void = () => {},
  end = new AbortController(),
) {
  const print = (line: string): void => {
    printed.push(line)
    onPrint()
  }
  return command.run(parse(service, ...args), createTestTerminal({ onPrint: print, end: end.signal }))
}

describe('conform', () => {
  let service: Service
  beforeAll(async () => void (service = await startService()))
  afterAll(() => service.cloudflare.stop())
  // A busy machine may take longer than the services may: messages have 10 s to arrive.
  beforeEach(() => void replaceLimits())

  it('finds that the stand-ins are as strict as assumed, and removes what it made', async () => {
    const { exit, report } = await run(service)
    expect(printed.filter((line) => line.startsWith('differs'))).toEqual([])
    expect(printed.at(-1)).toMatch(
      /26 assumptions hold, 2 were not asked\. .*, at a cost of less than a cent\. The report is .*conform\.md/,
    )
    expect(exit).toBe(0)
    // Most of the puts are those of 20 writers who race twice.
    expect(report).toMatchObject({ bill: { classA: 48, classB: 11, queue: 123 } })
    expect((report as { bill: Bill }).bill.written).toBeGreaterThan(50)
    expect(printed.at(-2)).toMatch(/Removed: the Worker vitrina-conform, the queue .*, the bucket/)
    expect(listMade(service)).toEqual([])
  })

  it('says what differs where the service does, and removes what it made when it is interrupted', async () => {
    const origin = await startAlteringProxy(service.origin, {
      request: (url) => url.replace('size=2000', 'size=9000'),
      answer: (url, text) => {
        if (url.includes('what=match')) return '{"answer":null}'
        return url.includes('what=messages') ? reverse(text) : text
      },
    })
    const end = new AbortController()
    const listDiffering = (): readonly string[] => printed.filter((line) => line.startsWith('differs'))
    const endAfterThree = (): void => void (listDiffering().length === 3 && end.abort())
    const { exit, report } = await run({ ...service, origin }, [], endAfterThree, end)
    expect(report).toMatchObject({ isWhole: false, address: origin })
    expect(exit).toBe(1)
    expect(listDiffering().map((line) => /relied on by (.*)/.exec(line)?.[1])).toEqual([
      'src/edge/objects/object-store.ts',
      'src/edge/pages/page-cache.ts',
      'src/edge/intake/consume-changes.ts',
    ])
    expect(printed.at(-1)).toMatch(/5 assumptions hold, 3 differ\. Interrupted: 20 /)
    expect(listMade(service)).toEqual([])
  })

  it('says what the account lacks', async () => {
    const { account } = service.cloudflare
    account.hasR2 = false
    await expect(run(service)).rejects.toThrow('open R2')
    account.hasR2 = true
    expect([listMade(service), printed]).toEqual([[], []])
  })

  it('removes with --clean what a killed run has left', async () => {
    const { cloudflare } = service
    const version = {
      files: new Map<string, string>(),
      code: null,
      tag: '',
      message: '',
      keepsSecrets: false,
    }
    cloudflare.find(NAME).upload(version)
    cloudflare.stores.buckets.add(`${NAME}-pages`)
    cloudflare.domains.owners.set('conform.vitrina.do', NAME)
    for (const kind of ['changes', 'dead']) cloudflare.stores.queues.set(`${NAME}-${kind}`, [])
    await run(service, ['--clean'])
    expect([listMade(service), printed]).toEqual([[], [expect.stringContaining('Removed: the domain')]])
  })

  it('takes no name that is in use, and removes what it had made by then', async () => {
    const { domains } = service.cloudflare
    domains.zones.add('vitrina.do')
    domains.records.add('www.vitrina.do')
    const at = { ...service, origin: 'https://www.vitrina.do' }
    await expect(run(at)).rejects.toThrow('www.vitrina.do has DNS records')
    expect([listMade(at), domains.records.has('www.vitrina.do')]).toEqual([[], true])
  })
})

it('exits with 1 after a whole run with a difference', () => {
  const state = path('state')
  const exits = (['holds', 'differs'] as const).map((last) => {
    const findings = ASSUMPTIONS.map((assumption, index): Finding => {
      return { assumption, state: index === 3 ? last : 'holds', found: '', note: '' }
    })
    return conclude({ state }, createTestTerminal(), { address: '', findings, bill: null, isWhole: true })
      .exit
  })
  expect(exits).toEqual([0, 1])
})

function reverse(text: string): string {
  const { answer } = JSON.parse(text) as { answer: readonly { readonly body: string }[] }
  const rest = answer.filter(({ body }) => body === 'poison')
  return JSON.stringify({ answer: [...answer.filter(({ body }) => body !== 'poison').toReversed(), ...rest] })
}
