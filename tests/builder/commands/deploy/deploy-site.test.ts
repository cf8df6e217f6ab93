/** Rolling back and holding through a fake of Cloudflare's API, in this process. */
import { mkdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeCloudflare } from '../../../../scripts/fakes/fake-cloudflare.ts'
import { readBuildOptions } from '../../../../src/builder/commands/options.ts'
import { parseConfiguration } from '../../../../src/builder/commands/configuration.ts'
import type { DeployAction, Deployed } from '../../../../src/builder/commands/deploy/deploy-options.ts'
import { performDeploy } from '../../../../src/builder/commands/deploy/deploy-actions.ts'
import { command } from '../../../../src/builder/commands/deploy/deploy.ts'
import { parseCommand } from '../../../../src/builder/commands/program.ts'
import { openLiveFile } from '../../../../src/builder/publish/live-file.ts'
import { lockFolders } from '../../../../src/builder/state/locks.ts'
import type { Limits } from '../../../support/run/limits.ts'
import { replaceLimits } from '../../../support/run/limits.ts'
import { startServer } from '../../../support/run/start-server.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { LOCAL_SECRET, startCoordinator } from '../../../support/edge/local-coordinator.ts'

const path = useTemporaryFolder()
let limits: Limits
let cloudflare: FakeCloudflare
let coordinator: LocalCoordinator
let versions: readonly string[]
beforeEach(async () => {
  limits = replaceLimits()
  cloudflare = new FakeCloudflare()
  ;[coordinator] = await Promise.all([startCoordinator(), cloudflare.start()])
  versions = await Promise.all(
    [1, 2, 3].map((sequence) => cloudflare.seed({ '/index.html': '' }, `vitrina-${sequence}`)),
  )
  coordinator.twin.hold({ version: versions[2] ?? '', sequence: 3 })
  coordinator.twin.release()
})
afterEach(() => {
  void cloudflare.stop()
  coordinator.close()
})

function act(action: DeployAction, options: { to?: string; url?: string } = {}): Promise<Deployed> {
  const environment = {
    ...cloudflare.environment,
    REBUILD_SECRET: LOCAL_SECRET,
    COORDINATOR_URL: options.url ?? coordinator.url,
  }
  const rest = readBuildOptions(
    { flags: { out: path('dist'), state: path('state') }, environment },
    parseConfiguration(environment),
  )
  return performDeploy({ ...rest, action, to: options.to ?? null }, () => {})
}

const readPublishing = () => coordinator.twin.status().publishing

describe('deploy --rollback', () => {
  it('needs neither the state folder nor a name', async () => {
    expect(await act('rollback')).toMatchObject({ action: 'rollback', version: versions[1] })
    expect(cloudflare.live?.id).toBe(versions[1])
    expect(readPublishing()).toMatchObject({ live: { version: versions[1], sequence: 2 }, held: {} })
    expect(coordinator.twin.status(true).log?.[0]).toMatchObject({ action: 'rolled-back', by: /@/ })
  })

  it('works while a build holds the state, whose live file knows the version afterwards', async () => {
    mkdirSync(path('state'), { recursive: true })
    const lock = lockFolders({ state: path('state'), output: path('dist'), command: 'builder' })
    expect(await act('rollback', { to: versions[0]?.slice(0, 8) ?? '' })).toMatchObject({
      version: versions[0],
    })
    expect(openLiveFile(path('state/live.json')).readLive()).toMatchObject({ version: versions[0] })
    lock.release()
  })

  it('reaches the newest 100 versions, and says what brings an older one back', async () => {
    for (let count = 0; count < 100; count += 1) await cloudflare.seed({}, 'vitrina-4')
    await expect(act('rollback', { to: versions[2] ?? '' })).rejects.toThrow('git revert')
    expect(cloudflare.live?.tag).toBe('vitrina-4')
  })

  it('takes at most 10 s while /api hangs, and says that publishing is not held', async () => {
    const url = await startServer(() => limits.pass(2_500))
    await expect(act('rollback', { url })).rejects.toThrow('publishing could not be held')
    expect(limits.passed).toBeLessThan(8_000)
    expect(cloudflare.live?.id).toBe(versions[1])
  })
})

describe('deploy --hold and --release', () => {
  it('hold and release publishing, and say who did', async () => {
    await act('hold')
    expect(readPublishing().held?.reason).toBe('held by hand')
    await act('release')
    expect(readPublishing().held).toBeNull()
    expect(
      coordinator.twin
        .status(true)
        .log?.map(({ action }) => action)
        .slice(0, 2),
    ).toEqual(['released', 'held'])
  })

  it.each(['hold', 'release'] as const)(
    '%s reports to the coordinator what was put live at Cloudflare',
    async (action) => {
      cloudflare.find('vitrina').putLive(versions[0] ?? '', '', false)
      const { lines } = await act(action)
      expect(lines.join()).toContain(`version ${versions[0]}`)
      expect(readPublishing().live).toMatchObject({ version: versions[0], sequence: 1 })
    },
  )
})

describe('the options of deploy', () => {
  const parse = (...args: readonly string[]) =>
    parseCommand({ definition: command }, args, { SITE_URL: 'https://vitrina.do' })

  it('need a secret only where the coordinator is asked', () => {
    for (const flag of ['--dry-run', '--rollback']) expect(parse(flag)).not.toBeNull()
    for (const flags of [[], ['--setup'], ['--force'], ['--hold'], ['--release']])
      expect(() => parse(...flags)).toThrow('REBUILD_SECRET is not set')
  })

  it('belong together', () => {
    expect(() => parse('--to', 'abc')).toThrow('--rollback')
    expect(() => parse('--allow-older')).toThrow('--force')
    expect(() => parse('--allow-takeover')).toThrow('--setup')
    expect(() => parse('--rollback', '--force')).toThrow('--force is only for publishing')
    expect(() => parse('--hold', '--release')).toThrow('cannot be used with')
  })
})
