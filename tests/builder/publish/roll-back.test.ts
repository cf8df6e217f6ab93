/** Rolling back, with a hosting in memory and the transitions of the real coordinator. */
import { beforeEach, describe, expect, it } from 'vitest'
import { openLiveFile } from '../../../src/builder/publish/live-file.ts'
import { rollBack } from '../../../src/builder/publish/roll-back.ts'
import { reportLate } from '../../../src/builder/publish/publish-steps.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { GateTwin, HostingTwin } from './publish-twin.ts'

const path = useTemporaryFolder()

let hosting: HostingTwin
let gate: GateTwin
beforeEach(async () => {
  hosting = new HostingTwin()
  hosting.first = null
  gate = new GateTwin()
  for (const sequence of [1, 2, 3]) await publish(sequence)
})

async function publish(sequence: number): Promise<string> {
  const { version } = await hosting.upload({ tag: `vitrina-${sequence}`, message: 'no message' })
  const answer = await gate.begin({ version, sequence, base: null })
  await hosting.putLive(version)
  if ('lease' in answer) await gate.end(answer.lease, true)
  return version
}

function fail(): never {
  throw new Error('the API fails')
}

const liveFile = () => openLiveFile(path('state/live.json'))

function roll(to: string | null = null) {
  return rollBack({ hosting, gate, live: liveFile(), by: 'ana@laptop', progress: () => {}, pause: 1 }, to)
}

const readPublishing = () => gate.coordinator.status().publishing

describe('a rollback', () => {
  it('goes back one version each time, and passes by versions that a change of a secret created', async () => {
    hosting.changeSecret()
    expect((await roll()).to.version).toBe('version-2')
    expect((await roll()).to.version).toBe('version-1')
    await expect(roll()).rejects.toThrow('no earlier version')
    expect(hosting.live).toBe('version-1')
  })

  it('restores the previous pages with the newest secret that they were live with', async () => {
    hosting.changeSecret()
    const secret = hosting.live
    await publish(4)
    expect((await roll()).to.version).toBe(secret)
    expect(readPublishing().live).toMatchObject({ version: secret, sequence: 3 })
  })

  it('says when earlier secrets come back with the version', async () => {
    expect((await roll()).notes).toEqual([])
    hosting.changeSecret()
    await publish(4)
    expect((await roll('version-1')).notes.join()).toMatch(/: REBUILD_SECRET\. .*REBUILD_SECRET_PREVIOUS/)
  })

  it('goes back further than the host lists deployments', async () => {
    for (let sequence = 4; sequence <= 20; sequence += 1) await publish(sequence)
    for (let count = 19; count >= 1; count -= 1) await roll()
    expect(hosting.live).toBe('version-1')
  })

  it('goes to the named version, and refuses a name that fits none or several', async () => {
    await expect(roll('version-9')).rejects.toThrow('No version')
    await expect(roll('version')).rejects.toThrow('More than one version')
    expect(readPublishing().held).toBeNull()
    expect((await roll('version-1')).to.version).toBe('version-1')
  })

  it('holds publishing until the release', async () => {
    await roll()
    expect(readPublishing()).toMatchObject({
      held: { reason: 'rolled back' },
      live: { version: 'version-2' },
    })
    expect(await gate.begin({ version: 'version-4', sequence: 4, base: null })).toMatchObject({
      refused: 'held',
    })
  })

  it('is not undone after the release by a build that was made before', async () => {
    await roll()
    await gate.release()
    expect(await gate.begin({ version: 'other', sequence: 1, base: null })).toMatchObject({
      refused: 'older',
    })
  })

  it('replaces the version of a machine that had permission before the hold', async () => {
    await gate.begin({ version: 'version-4', sequence: 4, base: null })
    let looks = 0
    hosting.interfere.set('findLive', () => {
      looks += 1
      hosting.deployed.push('version-4')
    })
    const { notes } = await roll()
    expect([looks, hosting.live]).toEqual([1, 'version-2'])
    expect(notes).toEqual([expect.stringContaining('another machine got permission')])
  })

  it('says that the version of another machine is live if it cannot be replaced', async () => {
    await gate.begin({ version: 'version-4', sequence: 4, base: null })
    const interfere = (): void => {
      hosting.deployed.push('version-4')
      hosting.interfere.set('putBack', fail).set('findLive', interfere)
    }
    hosting.interfere.set('findLive', interfere)
    const { notes } = await roll()
    expect(hosting.live).toBe('version-4')
    expect(notes.at(-1)).toBe(
      'It put version version-4 live, and a second rollback failed: the API fails. Run npm run deploy -- --rollback again.',
    )
  })
})

describe('a rollback without the coordinator', () => {
  it('says that publishing is not held, and holds it once the coordinator answers', async () => {
    gate.isDown = true
    await expect(roll()).rejects.toThrow('version-2 is live again, but publishing could not be held')
    expect(hosting.live).toBe('version-2')
    gate.isDown = false
    await reportLate(liveFile(), gate)
    expect(readPublishing()).toMatchObject({
      held: { reason: 'rolled back' },
      live: { version: 'version-2' },
    })
    await gate.release()
    await reportLate(liveFile(), gate)
    expect(readPublishing().held).toBeNull()
  })

  it('reports nothing later if another machine has recorded a live version since', async () => {
    gate.isDown = true
    await expect(roll()).rejects.toThrow('could not be held')
    gate.isDown = false
    gate.coordinator.now = Date.now() + 60_000
    await gate.hold('to record the live version', { version: 'version-2', sequence: 2 })
    await gate.release()
    await reportLate(liveFile(), gate)
    expect(readPublishing().held).toBeNull()
    expect(liveFile().readLive()).toMatchObject({ version: 'version-2', untold: null })
  })

  it('reports nothing later if another version went live since', async () => {
    gate.isDown = true
    await expect(roll()).rejects.toThrow('could not be held')
    gate.isDown = false
    gate.coordinator.now = Date.now() + 60_000
    await publish(4)
    await reportLate(liveFile(), gate)
    expect(readPublishing()).toMatchObject({ held: null, live: { version: 'version-4' } })
  })

  it('reports it afterwards if the version that it goes back to answers again', async () => {
    gate.isDown = true
    hosting.interfere.set('putBack', () => {
      gate.isDown = false
    })
    await roll()
    expect(readPublishing().live).toMatchObject({ version: 'version-2' })
    expect(liveFile().readLive()).toMatchObject({ version: 'version-2', untold: null })
  })
})

describe('a rollback that the host refuses', () => {
  it('says that publishing is held', async () => {
    hosting.interfere.set('putBack', fail)
    await expect(roll()).rejects.toThrow(
      /The rollback failed: the API fails\. Publishing is held now.*--release/,
    )
    expect(hosting.live).toBe('version-3')
  })

  it('leaves publishing alone if it cannot list versions', async () => {
    hosting.interfere.set('readHosted', fail)
    await expect(roll()).rejects.toThrow('the API fails')
    expect(readPublishing().held).toBeNull()
  })
})
