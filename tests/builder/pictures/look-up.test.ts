import { describe, expect, it } from 'vitest'
import type { KnownHosts } from '../../../src/builder/pictures/photos/host-lookup.ts'
import { createLookUp } from '../../../src/builder/pictures/photos/host-lookup.ts'

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

  it('fails for all callers, and is tried again after the cache time', async () => {
    const { asked, lookUp, wait } = create()
    for (let time = 0; time < 2; time += 1) await expect(lookUp('lost.example')).rejects.toThrow('not found')
    expect(asked).toHaveLength(1)
    wait(30_000)
    await expect(lookUp('lost.example')).rejects.toThrow('not found')
    expect(asked).toHaveLength(2)
  })
})
