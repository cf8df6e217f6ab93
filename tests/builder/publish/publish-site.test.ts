/** Publishing: the site is old or new whatever fails, and never older than it was. */
import { beforeEach, describe, expect, it } from 'vitest'
import { PublishError } from '../../../src/builder/publish/publish-error.ts'
import { openPublishedState } from '../../../src/builder/publish/published-state.ts'
import type { PublishOutcome, PublishWorld } from '../../../src/builder/publish/publish-site.ts'
import { previewSite, publishSite } from '../../../src/builder/publish/publish-site.ts'
import { rollBack } from '../../../src/builder/publish/roll-back.ts'
import { setUpSite } from '../../../src/builder/publish/set-up-site.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'
import { GateTwin, HostingTwin } from './publish-twin.ts'

const path = useTemporaryFolder()

let hosting: HostingTwin
let gate: GateTwin
let looked: (readonly string[])[]
let seen: string | null
beforeEach(() => {
  hosting = new HostingTwin()
  gate = new GateTwin()
  looked = []
  seen = null
})

/** A machine with a state of its own. */
function createMachine(name = 'machine') {
  const published = openPublishedState(path(`${name}.sqlite`))
  const createWorld = (sequence: number, digest: string): PublishWorld => ({
    hosting,
    gate,
    published,
    folder: 'dist',
    sequence,
    digest,
    verify: async () => ({
      files: 3,
      pictures: 0,
      changed: ['404.html', 'index.html', 'catalogo/ana.html'],
      removed: [],
    }),
    look: async (paths) => {
      looked.push(paths)
      return seen
    },
    progress: () => {},
  })
  return {
    published,
    createWorld,
    publish: (sequence: number, digest = `digest ${sequence}`): Promise<PublishOutcome> =>
      publishSite(createWorld(sequence, digest)),
    rollBack: () => rollBack({ hosting, gate, published, progress: () => {} }),
  }
}

const fail = (): never => {
  throw new Error('the API fails')
}

describe('a publish', () => {
  it('uploads with the sequence in the tag, puts live, and looks at the home and a changed page', async () => {
    const { version, kind } = await createMachine().publish(7)
    expect([version, kind, hosting.live]).toEqual(['version-1', 'published', 'version-1'])
    expect(hosting.versions[0]).toMatchObject({ tag: 'vitrina-7' })
    expect(looked).toEqual([['index.html', 'catalogo/ana.html']])
    expect(gate.coordinator.status().publishing.live).toMatchObject({ version: 'version-1', sequence: 7 })
  })

  it('of the same site does nothing, unless another version is live by now', async () => {
    const machine = createMachine()
    await machine.publish(7)
    expect((await machine.publish(8, 'digest 7')).kind).toBe('unchanged')
    expect(hosting.versions).toHaveLength(1)
    await createMachine('other').publish(9)
    expect((await machine.publish(10, 'digest 7')).kind).toBe('published')
  })

  it('of changed code goes live with the same sequence, from the machine that published last', async () => {
    const machine = createMachine()
    await machine.publish(7)
    expect((await machine.publish(7, 'other code')).kind).toBe('published')
    await expect(createMachine('other').publish(7, 'older code')).rejects.toThrow('--pending')
    expect(hosting.live).toBe('version-2')
  })

  it('that is older uploads nothing, and is refused also when the newer went live during the upload', async () => {
    const [machine, other] = [createMachine(), createMachine('other')]
    await machine.publish(7)
    await expect(other.publish(6)).rejects.toThrow('Nothing was published')
    expect(hosting.versions).toHaveLength(1)
    const newer = machine.publish(9)
    await expect(other.publish(8)).rejects.toThrow('Nothing was published')
    await newer
    expect(hosting.deployed).toEqual(['version-1', 'version-2'])
    expect(hosting.versions).toHaveLength(3)
  })

  it('says whether the live site shows it, and looks again next time', async () => {
    const machine = createMachine()
    seen = 'https://vitrina.do/ answers 500'
    await expect(machine.publish(7)).rejects.toThrow(
      'version-1 was put live, but https://vitrina.do/ answers 500',
    )
    seen = null
    expect((await machine.publish(7)).kind).toBe('unchanged')
    await machine.publish(7)
    expect(looked).toHaveLength(2)
  })
})

describe('when the API fails', () => {
  it('at the upload: the site is as it was', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.interfere.set('upload', fail)
    await expect(machine.publish(8)).rejects.toThrow('the live site is as it was: the API fails.')
    expect([hosting.live, (await machine.publish(8)).version]).toEqual(['version-1', 'version-2'])
  })

  it('at the switch: the site is as it was, and the coordinator knows', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.interfere.set('putLive', fail)
    await expect(machine.publish(8)).rejects.toThrow('did not go live, the site is as it was')
    const { publishing } = gate.coordinator.status()
    expect(publishing).toMatchObject({ live: { version: 'version-1' }, doubtful: null })
    await machine.publish(8)
    expect(hosting.live).toBe('version-3')
  })

  it('at the switch, and nobody can tell what is live: an older build stays out, the same may try again', async () => {
    const [machine, other] = [createMachine(), createMachine('other')]
    await machine.publish(7)
    hosting.interfere.set('putLive', fail)
    hosting.interfere.set('findLive', fail)
    await expect(machine.publish(9)).rejects.toThrow('is not known')
    await expect(other.publish(8)).rejects.toThrow('Nothing was published')
    await machine.publish(9, 'again')
    expect(gate.coordinator.status().publishing).toMatchObject({ live: { sequence: 9 }, doubtful: null })
  })

  it('only in its answer to the switch: it was published', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.interfere.set('putLive', () => {
      hosting.deployed.push('version-2')
      fail()
    })
    expect((await machine.publish(8)).kind).toBe('published')
  })

  it('only in telling the coordinator: the error says what is live', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.interfere.set('putLive', () => {
      gate.isDown = true
    })
    const failed = machine.publish(8)
    await expect(failed).rejects.toThrow(PublishError)
    await expect(failed).rejects.toThrow(/^Version version-2 is live\. .*could not be told.*npm run deploy/)
    gate.isDown = false
    gate.coordinator.now += gate.coordinator.settings.publishLease
    expect((await machine.publish(8)).kind).toBe('published')
  })

  it('so long that the lease has ended: the error says that another may be live', async () => {
    hosting.interfere.set('putLive', () => {
      gate.coordinator.now += gate.coordinator.settings.publishLease
    })
    await expect(createMachine().publish(7)).rejects.toThrow('another may have been published')
    expect(gate.coordinator.status().publishing.doubtful).toBe('version-1')
  })
})

describe('a preview', () => {
  it('leaves the live site, and what counts as published, as they are', async () => {
    const machine = createMachine()
    await machine.publish(7)
    await previewSite(machine.createWorld(8, 'digest 8'))
    expect([hosting.versions.length, hosting.live]).toEqual([2, 'version-1'])
    expect(machine.published.readLive()?.version).toBe('version-1')
  })
})

describe('a rollback', () => {
  it('goes back one version each time, past versions that a change of a secret made', async () => {
    const machine = createMachine()
    for (const sequence of [1, 2, 3]) await machine.publish(sequence)
    hosting.changeSecret()
    expect((await machine.rollBack()).to.version).toBe('version-2')
    expect((await machine.rollBack()).to.version).toBe('version-1')
    await expect(machine.rollBack()).rejects.toThrow('no previous version')
    expect(hosting.live).toBe('version-1')
  })

  it('goes back to the pages of before with the newest secret that they were live with', async () => {
    const machine = createMachine()
    await machine.publish(1)
    await machine.publish(2)
    hosting.changeSecret()
    const secret = hosting.live
    await machine.publish(3)
    expect((await machine.rollBack()).to.version).toBe(secret)
    expect(gate.coordinator.status().publishing.live).toMatchObject({ version: secret, sequence: 2 })
  })

  it('holds publishing, and after the release the same machine publishes again', async () => {
    const machine = createMachine()
    await machine.publish(1)
    await machine.publish(2)
    await machine.rollBack()
    await expect(machine.publish(3)).rejects.toThrow('--release')
    await gate.release()
    expect((await machine.publish(2)).kind).toBe('published')
  })

  it('after the release is not undone by a build that had been made before it', async () => {
    const [machine, other] = [createMachine(), createMachine('other')]
    await machine.publish(1)
    await machine.publish(3)
    await machine.rollBack()
    await gate.release()
    await expect(other.publish(1)).rejects.toThrow('Nothing was published')
  })

  it('works while the coordinator cannot be asked, and says that nothing is held', async () => {
    const machine = createMachine()
    await machine.publish(1)
    await machine.publish(2)
    gate.isDown = true
    await expect(machine.rollBack()).rejects.toThrow(
      'version-1 is live again, but publishing could not be held',
    )
    expect(hosting.live).toBe('version-1')
  })
})

describe('the first publish', () => {
  it('needs no coordinator, and tells the one that comes with it', async () => {
    const { isTold, version } = await setUpSite(createMachine().createWorld(0, 'first'))
    expect([isTold, hosting.live]).toEqual([true, version])
    const { live, held } = gate.coordinator.status().publishing
    expect([live?.version, held]).toEqual([version, null])
  })

  it('goes well while the coordinator does not answer yet', async () => {
    gate.isDown = true
    expect(await setUpSite(createMachine().createWorld(0, 'first'))).toMatchObject({ isTold: false })
  })

  it('is refused in place of a live site that is newer, or whose coordinator does not answer', async () => {
    await createMachine().publish(7)
    const other = createMachine('other').createWorld(6, 'older')
    await expect(setUpSite(other)).rejects.toThrow('older than the live site')
    gate.isDown = true
    await expect(setUpSite(other)).rejects.toThrow('could not be reached')
    expect(hosting.live).toBe('version-1')
  })

  it('is refused while publishing is held after a rollback', async () => {
    const machine = createMachine()
    await machine.publish(1)
    await machine.publish(2)
    await machine.rollBack()
    await expect(setUpSite(machine.createWorld(3, 'new'))).rejects.toThrow('--release')
  })
})
