/** The first line and the exit code of `status`, which ends within 10 s. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseConfiguration } from '../../../../src/builder/commands/configuration.ts'
import { findVerdict } from '../../../../src/builder/commands/coordinator/find-verdict.ts'
import { command } from '../../../../src/builder/commands/coordinator/status.ts'
import type { Hosted } from '../../../../src/builder/publish/cloudflare/hosted-versions.ts'
import { CoordinatorTwin } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'
import { holdClosedHost } from '../../../support/run/closed-host.ts'
import type { Limits } from '../../../support/run/limits.ts'
import { replaceLimits } from '../../../support/run/limits.ts'
import { startServer } from '../../../support/run/start-server.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { LOCAL_SECRET, startCoordinator } from '../../../support/edge/local-coordinator.ts'
import { makeLive } from '../../../support/edge/make-live.ts'
import { parseHere } from '../../../support/rebuild/run-here.ts'
import { createTestTerminal } from '../../../support/run/test-terminal.ts'

const DAY = 24 * 60 * 60_000

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin()
})

function host(...live: readonly string[]): Hosted {
  const versions = ['one', 'two', 'three'].map((version, index) => ({
    version,
    tag: `vitrina-${index + 1}`,
    message: '',
    created: `2026-01-01T00:0${index}:00Z`,
    trigger: '',
  }))
  return { live, deployed: live, versions }
}

const readLine = (hosted: Hosted | null = null): string => findVerdict(twin.status(), hosted).line

describe('the verdict', () => {
  it('is OK while what should be live is live', () => {
    makeLive(twin, 'one', 1)
    twin.now += DAY
    const ok = 'OK: version one, live for 24 h; nothing waits'
    expect([readLine(), readLine(host('one'))]).toEqual([ok, ok])
  })

  it('says that no publish is recorded', () => {
    expect(readLine()).toMatch(/^ATTENTION: no publish is recorded yet/)
  })

  it('says that publishing is held, for how long and why', () => {
    makeLive(twin, 'one', 1)
    twin.hold()
    twin.now += 2 * DAY
    expect(readLine()).toMatch(/^ATTENTION: publishing is held \(rolled back\), for 2 days: .*--release/)
  })

  it('says that another version may be live', () => {
    makeLive(twin, 'one', 1)
    twin.publish('two', 2)
    twin.now += twin.settings.publishLease
    expect(readLine()).toMatch(/^ATTENTION: version two may be live/)
    expect(readLine(host('two'))).not.toContain('at Cloudflare')
  })

  it('says that another version is live at Cloudflare than should be', () => {
    makeLive(twin, 'two', 2)
    expect(readLine(host('one'))).toMatch(
      /^ATTENTION: version one of .* is live at Cloudflare, but the coordinator has recorded two as live/,
    )
    expect(readLine(host('one', 'two'))).toMatch(/^ATTENTION: 2 versions share the visitors/)
    expect(readLine(host())).toMatch(/^ATTENTION: nothing is live at Cloudflare/)
  })

  it('says that nothing was published for 40 days', () => {
    makeLive(twin, 'one', 1)
    twin.now += 40 * DAY
    expect(readLine()).toMatch(/^ATTENTION: nothing has been built and published for 40 days/)
  })
})

describe('status', () => {
  let coordinator: LocalCoordinator
  let limits: Limits
  const printed: string[] = []
  beforeEach(async () => {
    printed.length = 0
    limits = replaceLimits()
    coordinator = await startCoordinator()
  })
  afterEach(() => coordinator.close())

  const terminal = createTestTerminal({ onPrint: (line) => void printed.push(line) })
  const run = (environment: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    command.run(parseHere(command, args, { REBUILD_SECRET: LOCAL_SECRET, ...environment }), terminal)

  it('exits with 1 when a person is needed, and shows who did what with --log', async () => {
    coordinator.twin.hold({ version: 'one', sequence: 1 }, 'rolled back', 'ana@laptop')
    expect(await run({ COORDINATOR_URL: coordinator.url }, '--log')).toMatchObject({ exit: 1 })
    expect(printed[0]).toMatch(/^ATTENTION: publishing is held/)
    expect(printed[1]).toMatch(/rolled-back +ana@laptop +one: rolled back/)
  })

  it('ends soon at a refused connection, and says when the address is the default', async () => {
    const url = `http://${await holdClosedHost()}`
    await expect(run({ COORDINATOR_URL: url })).rejects.toThrow(/could not be reached: ECONNREFUSED\.$/)
    expect(parseConfiguration({ REBUILD_SECRET: LOCAL_SECRET }).coordinator.isDefault).toBe(true)
  })

  it('ends within 10 s while the site hangs', async () => {
    // Moves the clock when all three requests (status, deployments, versions) have arrived: a request whose limit
    // passes before it arrives would never be counted.
    let requests = 0
    const url = await startServer(() => {
      requests += 1
      if (requests === 3) limits.pass(5_000)
    })
    const api = {
      CLOUDFLARE_API_BASE_URL: url,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'account',
    }
    await expect(run({ COORDINATOR_URL: url, ...api })).rejects.toThrow('no answer in 5 s')
  })

  it('names all missing settings at once', () => {
    expect(() => run({ REBUILD_SECRET: '' })).toThrow(/REBUILD_SECRET is not set.*SITE_URL is not set/)
  })
})
