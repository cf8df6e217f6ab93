/** The assumptions of the project, asked of the stand-ins for Cloudflare with the real tool and the real runtime. */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FakeCloudflare, PUBLISHED } from '../../../../scripts/fakes/fake-cloudflare.ts'
import { createRuntimeServer } from '../../../../scripts/fakes/runtime-server.ts'
import { ASSUMPTIONS } from '../../../../src/builder/commands/conform/assumptions.ts'
import { findLack } from '../../../../src/builder/commands/conform/conform-options.ts'
import { command } from '../../../../src/builder/commands/conform/conform.ts'
import type { Terminal } from '../../../../src/builder/commands/command.ts'
import { parseCommand } from '../../../../src/builder/commands/program.ts'
import { ROOT } from '../../../../src/builder/state/project-folder.ts'
import type { Altered } from '../../../support/edge/altering-proxy.ts'
import { startAlteringProxy } from '../../../support/edge/altering-proxy.ts'

const NAME = 'vitrina-conform'

it('names a file of the project for each assumption', () => {
  const lost = ASSUMPTIONS.filter(({ reliesOn }) => !existsSync(join(ROOT, reliesOn)))
  expect(lost.map(({ reliesOn }) => reliesOn)).toEqual([])
})

it('names the setting that would make a question asked', () => {
  const parts = new Set(ASSUMPTIONS.map(({ part }) => part))
  const listLacks = (environment: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const options = parseCommand({ definition: command }, args, environment)
    return [...parts].flatMap((part) => (options === null ? [] : (findLack(part, options) ?? [])))
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

async function startService(isCached: boolean): Promise<Service> {
  const cloudflare = new FakeCloudflare({
    serve: (name, assets, stores) =>
      createRuntimeServer({
        folder: mkdtempSync(join(tmpdir(), 'vitrina-edge-')),
        assets,
        listConsumers: () => stores.listConsumers(name),
        hosts: () => ({}),
        isCached,
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
  const state = mkdtempSync(join(tmpdir(), 'vitrina-conform-'))
  const options = parseCommand(
    { definition: command },
    ['--at', origin, '--state', state, ...args],
    environment,
  )
  if (options === null) throw new Error('the help was printed')
  return options
}

let printed: string[]
beforeEach(() => (printed = []))

function run(
  service: Service,
  args: readonly string[] = [],
  onPrint: () => void = () => {},
  end = new AbortController(),
) {
  const terminal: Terminal = {
    print: (line) => {
      printed.push(line)
      onPrint()
    },
    warn: () => {},
    report: () => {},
    progress: { update: () => {}, done: () => {}, fail: () => {} },
    listenForEnd: () => end.signal,
  }
  return command.run(parse(service, ...args), terminal)
}

describe('conform', () => {
  let service: Service
  beforeAll(async () => void (service = await startService(true)))
  afterAll(() => service.cloudflare.stop())

  it('finds that the stand-ins are as strict as assumed, and removes what it made', async () => {
    const { exit } = await run(service)
    expect(printed.filter((line) => line.startsWith('differs'))).toEqual([])
    expect(printed.at(-1)).toMatch(/26 assumptions hold, 2 were not asked\. The report is .*conform\.md/)
    expect(exit).toBe(0)
    expect(printed.at(-2)).toMatch(/Removed: the Worker vitrina-conform, the queue .*, the bucket/)
    expect(listMade(service)).toEqual([])
  })

  it('removes what it made when it is interrupted', async () => {
    const end = new AbortController()
    const { exit, report } = await run(service, [], () => end.abort(), end)
    expect(report).toMatchObject({ isWhole: false, address: service.origin })
    expect([exit, printed.at(-1)]).toEqual([1, expect.stringMatching(/1 assumption holds\. Interrupted: 27/)])
    expect(listMade(service)).toEqual([])
  })

  it('removes what it made when it fails', async () => {
    service.cloudflare.fail('version')
    await expect(run(service)).rejects.toThrow('version fails')
    service.cloudflare.work()
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

  it('takes no name that is in use', async () => {
    const { domains } = service.cloudflare
    domains.zones.add('vitrina.do')
    domains.records.add('www.vitrina.do')
    const at = { ...service, origin: 'https://www.vitrina.do' }
    await expect(run(at)).rejects.toThrow('www.vitrina.do has DNS records')
    expect([listMade(at), domains.records.has('www.vitrina.do')]).toEqual([[], true])
  })
})

it('says what differs where the service does', async () => {
  const service = await startService(false)
  const altered: Altered = {
    request: (url) => url.replace('size=1900000', 'size=5000000'),
    answer: (url, text) => (url.includes('what=messages') ? reverse(text) : text),
  }
  const proxy = await startAlteringProxy(service.origin, altered)
  const { exit } = await run({ ...service, origin: proxy.origin })
  const differing = printed.filter((line) => line.startsWith('differs'))
  expect(exit).toBe(1)
  expect(differing.map((line) => /relied on by (.*)/.exec(line)?.[1])).toEqual([
    'src/edge/pages/page-cache.ts',
    'src/edge/intake/consume-changes.ts',
    'src/edge/search/write-documents.ts',
  ])
  proxy.close()
  await service.cloudflare.stop()
})

function reverse(text: string): string {
  const { answer } = JSON.parse(text) as { answer: readonly { readonly body: string }[] }
  const rest = answer.filter(({ body }) => body === 'poison')
  return JSON.stringify({ answer: [...answer.filter(({ body }) => body !== 'poison').toReversed(), ...rest] })
}
