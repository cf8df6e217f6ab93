/** The first publish, and the settings outside versions. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallError } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { openLiveFile } from '../../../src/builder/publish/live-file.ts'
import { publishSite } from '../../../src/builder/publish/publish-site.ts'
import type { PublishWorld } from '../../../src/builder/publish/publish-world.ts'
import { isEarly, setUpSite } from '../../../src/builder/publish/set-up-site.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { GateTwin, HostingTwin } from './publish-twin.ts'
import { mapSwitches } from '../../../src/domain/documents/page-switches.ts'

const NO_FILES = mapSwitches(() => 0)

const path = useTemporaryFolder()

let hosting: HostingTwin
let gate: GateTwin
let isForced: boolean
beforeEach(() => {
  hosting = new HostingTwin()
  hosting.first = null
  gate = new GateTwin()
  isForced = false
})
afterEach(() => void vi.restoreAllMocks())

function createWorld(sequence: number, name = 'machine'): PublishWorld {
  return {
    hosting,
    gate,
    published: openLiveFile(path(`${name}.json`)),
    sequence,
    digest: `digest ${sequence}`,
    isForced,
    isOlderAllowed: false,
    isTakeoverAllowed: false,
    by: 'ana@laptop',
    pause: 1,
    verify: () => ({ files: 3, pictures: 0, switched: NO_FILES, newest: null }),
    look: async () => null,
    progress: () => {},
  }
}

const readPublishing = () => gate.coordinator.status().publishing

describe('the first publish', () => {
  it('needs no coordinator, and reports to the one that it deploys', async () => {
    const { problem, version } = await setUpSite(createWorld(0))
    expect([problem, hosting.live]).toEqual([null, version])
    expect(readPublishing()).toMatchObject({ live: { version }, held: null })
  })

  it('takes no domain that others have, unless that is allowed', async () => {
    hosting.takeovers = ['vitrina.do is the address of the Worker old-shop']
    await expect(setUpSite(createWorld(0))).rejects.toThrow(
      'vitrina.do is the address of the Worker old-shop',
    )
    expect(hosting.versions).toEqual([])
    await setUpSite({ ...createWorld(0), isTakeoverAllowed: true })
    expect(hosting.live).toBe('version-1')
  })

  it('works for the draft that a secret created', async () => {
    hosting.changeSecret()
    gate.isDown = true
    hosting.interfere.set('putLive', () => {
      gate.isDown = false
    })
    const { problem, version } = await setUpSite(createWorld(0))
    expect([problem, hosting.live, readPublishing().live?.version]).toEqual([null, version, version])
  })

  it('waits for minutes while the new address is not known everywhere', async () => {
    const said: string[] = []
    const refusals = [0, 523, 404].map((status) => new CallError('not ready', status))
    gate.refuse = () => refusals.shift()
    const { problem } = await setUpSite({ ...createWorld(0), progress: (text) => said.push(text) })
    expect([problem, readPublishing().live?.version]).toEqual([null, hosting.live])
    expect(said.filter((text) => text.includes('Waiting for the new address'))).toHaveLength(3)
  })

  it('waits for nothing that time does not heal', async () => {
    const refusals = [new CallError('another secret', 401)]
    gate.refuse = () => refusals.shift()
    const { problem } = await setUpSite(createWorld(0))
    expect(problem).toMatchObject({ status: 401 })
  })

  it('succeeds while the coordinator does not answer within minutes, and the next publish reports it', async () => {
    let minutes = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (minutes += 1) * 60_000)
    gate.isDown = true
    const { problem } = await setUpSite(createWorld(0))
    expect([isEarly(problem), minutes]).toEqual([true, 5])
    gate.isDown = false
    expect((await publishSite(createWorld(0))).kind).toBe('unchanged')
    expect(readPublishing().live?.version).toBe(hosting.live)
  })

  it('says that nothing is live if it fails', async () => {
    hosting.interfere.set('upload', fail)
    await expect(setUpSite(createWorld(0))).rejects.toThrow(
      /could not be set up: the API fails\. Nothing is live\./,
    )
  })
})

const fail = (): never => {
  throw new Error('the API fails')
}

describe('setting up a published site', () => {
  beforeEach(async () => {
    await setUpSite(createWorld(7))
  })

  it('is refused if the live site is newer, or if its coordinator does not answer', async () => {
    await expect(setUpSite(createWorld(6, 'other'))).rejects.toThrow('older than the live site')
    gate.isDown = true
    await expect(setUpSite(createWorld(8))).rejects.toThrow('could not be reached')
    expect(hosting.live).toBe('version-1')
  })

  it('says how to reach the coordinator of a site that gets a new address', async () => {
    const error = new CallError('https://vitrina.do could not be reached', 0)
    gate.refuse = () => error
    const refused = { name: 'CallError', status: 0, message: expect.stringContaining('COORDINATOR_URL=<') }
    await expect(setUpSite(createWorld(8))).rejects.toMatchObject(refused)
    gate.refuse = () => new CallError('another secret', 401)
    await expect(setUpSite(createWorld(8))).rejects.toThrow(/^another secret$/)
    expect(hosting.live).toBe('version-1')
  })

  it('needs no coordinator with --force', async () => {
    gate.isDown = true
    isForced = true
    expect(await setUpSite(createWorld(8))).toMatchObject({ problem: { status: 0 }, version: 'version-2' })
  })

  it('is refused while publishing is held after a rollback', async () => {
    await gate.hold('rolled back', null)
    await expect(setUpSite(createWorld(8))).rejects.toThrow('--release')
  })

  it('ends the hold and says what is live if it fails before the switch', async () => {
    hosting.interfere.set('upload', fail)
    const failed = setUpSite(createWorld(8))
    await expect(failed).rejects.toThrow(/as it was \(version version-1\)\. Publishing is not held\./)
    expect(readPublishing().held).toBeNull()
  })

  it('reports to the coordinator and says what is live if it fails after the switch', async () => {
    hosting.interfere.set('putLive', () => {
      hosting.deployed.push('version-2')
      fail()
    })
    await expect(setUpSite(createWorld(8))).rejects.toThrow('The new version version-2 is live.')
    expect(readPublishing()).toMatchObject({ held: null, live: { version: 'version-2', sequence: 8 } })
  })

  it('says that publishing is held if it fails and the coordinator does not answer any more', async () => {
    hosting.interfere.set('upload', () => {
      gate.isDown = true
      fail()
    })
    await expect(setUpSite(createWorld(8))).rejects.toThrow(/Publishing is held .*--release/)
  })
})
