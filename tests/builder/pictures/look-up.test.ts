import { describe, expect, it } from 'vitest'
import type { KnownHosts } from '../../../src/builder/pictures/photos/host-lookup.ts'
import { createLookUp } from '../../../src/builder/pictures/photos/host-lookup.ts'
import { openPictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { createPhotoTools } from '../../../src/builder/pictures/stored-pictures.ts'

const ADDRESS = { address: '93.184.215.14', family: 4 }

function create(known: KnownHosts = new Map()) {
  const asked: string[] = []
  let time = 0
  const lookUp = createLookUp(
    () => time,
    async (hostname) => {
      asked.push(hostname)
      if (hostname === 'lost.example') throw new Error('not found')
      return [ADDRESS]
    },
    known,
  )
  return { asked, lookUp, wait: (ms: number) => void (time += ms) }
}

describe('a host that is looked up', () => {
  it('is looked up once for any number of photos', async () => {
    const { asked, lookUp } = create()
    const answers = await Promise.all(Array.from({ length: 9 }, () => lookUp('photos.example')))
    expect(answers).toEqual(answers.map(() => [ADDRESS]))
    await lookUp('other.example')
    expect(asked).toEqual(['photos.example', 'other.example'])
  })

  it('is looked up again after the cache time', async () => {
    const { asked, lookUp, wait } = create()
    for (const ms of [29_999, 1, 29_999]) {
      await lookUp('photos.example')
      wait(ms)
    }
    expect(asked).toHaveLength(2)
  })

  it('is looked up once although the clock was put forward', async () => {
    let time = Date.now()
    const { lookUp } = createPhotoTools({
      store: openPictureStore(':memory:', expect.unreachable),
      hosts: { names: [], origins: [] },
      readPublicFile: () => null,
      brand: 'Vitrina',
      makesPreviews: false,
      now: () => (time += 3_600_000),
    })
    const found = lookUp('localhost')
    expect(lookUp('localhost')).toBe(found)
    await found
  })

  it('is forgotten after the cache time, with the next look-up of any host', async () => {
    const known: KnownHosts = new Map()
    const { lookUp, wait } = create(known)
    for (let host = 0; host < 1_000; host += 1) {
      await lookUp(`photos-${host}.example`)
      wait(1_000)
    }
    expect(known.size).toBe(30)
    wait(30_000)
    await lookUp('photos.example')
    expect([...known.keys()]).toEqual(['photos.example'])
  })

  it('fails for all callers, and is looked up again by the next one', async () => {
    const { asked, lookUp } = create()
    const results = await Promise.allSettled([lookUp('lost.example'), lookUp('lost.example')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(asked).toHaveLength(1)
    await expect(lookUp('lost.example')).rejects.toThrow('not found')
    expect(asked).toHaveLength(2)
  })
})
