/** Publishing: after any failure the live site is the old or the new one, and never an older one. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CloudflareError } from '../../../src/builder/publish/cloudflare/cloudflare-api.ts'
import { PublishError } from '../../../src/builder/publish/publish-error.ts'
import { openLiveFile } from '../../../src/builder/publish/live-file.ts'
import type { PublishOutcome, PublishWorld } from '../../../src/builder/publish/publish-world.ts'
import { publishSite } from '../../../src/builder/publish/publish-site.ts'
import { rollBack } from '../../../src/builder/publish/roll-back.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { GateTwin, HostingTwin } from './publish-twin.ts'
import { mapSwitches } from '../../../src/domain/documents/page-switches.ts'

const NO_FILES = mapSwitches(() => 0)

const path = useTemporaryFolder()

let hosting: HostingTwin
let gate: GateTwin
let looked: (readonly string[])[]
let seen: string | null
let isForced: boolean
let isOlderAllowed: boolean
beforeEach(() => {
  hosting = new HostingTwin()
  gate = new GateTwin()
  looked = []
  seen = null
  isForced = false
  isOlderAllowed = false
})

/** A machine with its own state. */
function createMachine(name = 'machine') {
  const published = openLiveFile(path(`${name}.json`))
  const createWorld = (sequence: number, digest: string): PublishWorld => ({
    hosting,
    gate,
    published,
    sequence,
    digest,
    isForced,
    isOlderAllowed,
    isTakeoverAllowed: false,
    by: 'ana@laptop',
    pause: 1,
    verify: () => ({ files: 3, pictures: 0, switched: NO_FILES, newest: 'catalogo/ana.html' }),
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
  }
}

const fail = (): never => {
  throw new Error('the API fails')
}

describe('a publish', () => {
  it('uploads with the sequence in the tag, puts the version live, and fetches the marker, the home page and a new page', async () => {
    const { version, kind } = await createMachine().publish(7)
    expect([version, kind, hosting.live]).toEqual(['version-1', 'published', 'version-1'])
    expect(hosting.versions[0]).toMatchObject({ tag: 'vitrina-7' })
    expect(hosting.versions[0]?.message).toBe('3 files')
    expect(looked).toEqual([['estado.json', 'index.html', 'catalogo/ana.html']])
    expect(gate.coordinator.status().publishing.live).toMatchObject({ version: 'version-1', sequence: 7 })
  })

  it('of the same site does nothing, unless another version is live meanwhile', async () => {
    const machine = createMachine()
    await machine.publish(7)
    expect((await machine.publish(8, 'digest 7')).kind).toBe('unchanged')
    expect(hosting.versions).toHaveLength(1)
    await createMachine('other').publish(9)
    expect((await machine.publish(10, 'digest 7')).kind).toBe('published')
  })

  it('of changed code goes live with the same sequence, if the same machine published last', async () => {
    const machine = createMachine()
    await machine.publish(7)
    expect((await machine.publish(7, 'other code')).kind).toBe('published')
    await expect(createMachine('other').publish(7, 'older code')).rejects.toThrow('--pending')
    expect(hosting.live).toBe('version-2')
  })

  it('of an older site uploads nothing, and is also refused if the newer site went live during the upload', async () => {
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

  it('reports whether the live site shows it, and checks again in the next publish', async () => {
    const machine = createMachine()
    seen = 'https://vitrina.do/ answers with status 500 instead of 200'
    await expect(machine.publish(7)).rejects.toThrow(
      'version-1 was put live, but https://vitrina.do/ answers with status 500 instead of 200',
    )
    seen = null
    expect((await machine.publish(7)).kind).toBe('unchanged')
    await machine.publish(7)
    expect(looked).toHaveLength(2)
  })
})

describe('a publish whose API fails', () => {
  it('during the upload leaves the site unchanged', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.interfere.set('upload', fail)
    await expect(machine.publish(8)).rejects.toThrow('the live site is as it was: the API fails.')
    expect([hosting.live, (await machine.publish(8)).version]).toEqual(['version-1', 'version-2'])
  })

  it('because of a new class of Durable Objects says what publishes it', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.interfere.set('upload', () => {
      throw new Error('This Worker has a pending Durable Object migration, which cannot be applied by …')
    })
    await expect(machine.publish(8)).rejects.toThrow('Run npm run deploy -- --setup once, which publishes it')
  })

  it('during the switch leaves the site unchanged, and is reported to the coordinator', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.interfere.set('putLive', () => {
      throw new CloudflareError('not allowed [code: 10000]', 10000)
    })
    await expect(machine.publish(8)).rejects.toThrow('did not go live, and the site is unchanged')
    const { publishing } = gate.coordinator.status()
    expect(publishing).toMatchObject({ live: { version: 'version-1' }, doubtful: null })
    expect(machine.published.readLive()).toMatchObject({ version: 'version-1' })
    await machine.publish(8)
    expect(hosting.live).toBe('version-3')
  })

  it('during the switch with an unknown result refuses an older build and permits the same to retry', async () => {
    const [machine, other] = [createMachine(), createMachine('other')]
    await machine.publish(7)
    hosting.interfere.set('putLive', fail)
    hosting.interfere.set('findLive', fail)
    await expect(machine.publish(9)).rejects.toThrow('is not known')
    await expect(other.publish(8)).rejects.toThrow('Nothing was published')
    await machine.publish(9, 'again')
    expect(gate.coordinator.status().publishing).toMatchObject({ live: { sequence: 9 }, doubtful: null })
  })

  it('during the switch may still put the version live, which stops no later build', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.interfere.set('putLive', () => {
      throw new CloudflareError('no answer in 10 s', null)
    })
    await expect(machine.publish(8)).rejects.toThrow('It is not known whether the version went live')
    expect(gate.coordinator.status().publishing.doubtful).toBe('version-2')
    hosting.deployed.push('version-2')
    expect((await machine.publish(9)).kind).toBe('published')
  })

  it('only in the answer to the switch counts as published', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.interfere.set('putLive', () => {
      hosting.deployed.push('version-2')
      fail()
    })
    expect((await machine.publish(8)).kind).toBe('published')
  })

  it('only in the report to the coordinator ends with an error that names the live version', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.interfere.set('putLive', () => {
      gate.isDown = true
    })
    const failed = machine.publish(8)
    await expect(failed).rejects.toThrow(PublishError)
    await expect(failed).rejects.toThrow(
      /^Version version-2 is live\. .*could not be notified.*npm run deploy/,
    )
    gate.isDown = false
    gate.coordinator.now += gate.coordinator.settings.publishLease
    expect((await machine.publish(8)).kind).toBe('published')
  })

  it('until the lease has ended reports that another version may be live', async () => {
    hosting.interfere.set('putLive', () => {
      gate.coordinator.now += gate.coordinator.settings.publishLease
    })
    await expect(createMachine().publish(7)).rejects.toThrow('its lease had ended')
    expect(gate.coordinator.status().publishing.doubtful).toBe('version-1')
  })
})

describe('a publish without a coordinator', () => {
  it('advises to set the site up if only a draft exists, as a secret creates it', async () => {
    hosting.first = null
    gate.isDown = true
    const advice = expect.stringContaining('npm run deploy -- --setup') as string
    await expect(createMachine().publish(1)).rejects.toMatchObject({ message: advice })
    hosting.changeSecret()
    await expect(createMachine().publish(1)).rejects.toMatchObject({ message: advice })
  })

  it('publishes nothing and names the way to publish nevertheless', async () => {
    gate.isDown = true
    await expect(createMachine().publish(7)).rejects.toThrow(/Nothing was published.*--force/)
    expect(hosting.deployed).toEqual([])
  })

  it('goes live with --force, which is recorded once the coordinator answers', async () => {
    const machine = createMachine()
    await machine.publish(7)
    ;[gate.isDown, isForced] = [true, true]
    expect(await machine.publish(8)).toMatchObject({ kind: 'forced', isReported: false })
    expect(hosting.live).toBe('version-2')
    ;[gate.isDown, isForced] = [false, false]
    expect((await machine.publish(8)).kind).toBe('unchanged')
    const { publishing, log } = gate.coordinator.status(true)
    expect(publishing).toMatchObject({ live: { version: 'version-2', sequence: 8 }, doubtful: null })
    expect(log?.[0]).toMatchObject({ action: 'forced', by: 'ana@laptop', version: 'version-2' })
  })

  it('is reported at once with --force if the repair makes the coordinator answer', async () => {
    ;[gate.isDown, isForced] = [true, true]
    hosting.interfere.set('putLive', () => {
      gate.isDown = false
    })
    expect(await createMachine().publish(8)).toMatchObject({ kind: 'forced', isReported: true })
    expect(gate.coordinator.status().publishing.live?.version).toBe('version-1')
  })

  it('is refused with --force too if the live site may be newer, unless that is allowed', async () => {
    await createMachine().publish(9)
    ;[gate.isDown, isForced] = [true, true]
    await expect(createMachine('other').publish(8)).rejects.toThrow(/sequence 9.*--allow-older/)
    expect(hosting.live).toBe('version-1')
    isOlderAllowed = true
    expect((await createMachine('other').publish(8)).kind).toBe('forced')
    expect(hosting.live).toBe('version-2')
  })

  it('needs no force while the coordinator answers, which still refuses', async () => {
    const machine = createMachine()
    await machine.publish(7)
    isForced = true
    expect((await machine.publish(8)).kind).toBe('published')
    await gate.hold('rolled back', null)
    await expect(machine.publish(9)).rejects.toThrow('--release')
  })
})

describe('a publish over a version that was put live at the host', () => {
  it('is refused, also with nothing to publish, until it is accepted', async () => {
    const machine = createMachine()
    await machine.publish(7)
    const foreign = hosting.putForeign()
    await expect(machine.publish(7)).rejects.toThrow(`${foreign} of`)
    await expect(machine.publish(8)).rejects.toThrow(/--hold keeps what is live.*--release/)
    expect(hosting.live).toBe(foreign)
    await gate.hold('', { version: foreign, sequence: 7 })
    await gate.release()
    expect((await machine.publish(8)).kind).toBe('published')
  })

  it('is refused while two versions share the visitors, until a rollback to one of them', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.shared = 'version-0'
    await expect(machine.publish(8)).rejects.toThrow(
      /2 versions share .*--rollback --to <version>.*--release/,
    )
    const person = { hosting, gate, live: openLiveFile(path('person.json')), by: 'ana', progress: () => {} }
    await rollBack({ ...person, pause: 1 }, 'version-1')
    await gate.release()
    expect((await machine.publish(8)).kind).toBe('published')
  })

  it('is not refused after a change of a secret', async () => {
    const machine = createMachine()
    await machine.publish(7)
    hosting.changeSecret()
    expect((await machine.publish(7)).kind).toBe('unchanged')
    expect((await machine.publish(8)).kind).toBe('published')
  })

  it('is not refused for a version that another machine reports a moment later', async () => {
    const machine = createMachine()
    await machine.publish(7)
    const answer = await gate.begin({ version: 'version-2', sequence: 8, base: null })
    await hosting.upload({ tag: 'vitrina-8', message: '' })
    await hosting.putLive('version-2')
    hosting.interfere.set('readHosted', () => {
      hosting.interfere.set('readHosted', () => void gate.end('lease' in answer ? answer.lease : '', true))
    })
    expect((await machine.publish(9)).kind).toBe('published')
  })
})
