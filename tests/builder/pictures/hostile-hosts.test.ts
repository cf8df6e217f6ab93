/** Each answer of a hostile host, and each missing answer, ends with a failure in the store. */
import { lookup } from 'node:dns'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PictureStore } from '../../../src/builder/pictures/picture-store.ts'
import { openPictureStore } from '../../../src/builder/pictures/picture-store.ts'
import type { PhotoTools } from '../../../src/builder/pictures/update-photo.ts'
import { updatePhoto } from '../../../src/builder/pictures/update-photo.ts'
import { holdClosedHost } from '../../support/run/servers.ts'
import { LONGEST_TIME } from '../../support/run/values.ts'
import type { RawHost } from './raw-host.ts'
import { RAW_WAYS, startRawHost } from './raw-host.ts'

let host: RawHost
let store: PictureStore
beforeAll(async () => {
  host = await startRawHost()
})
afterAll(() => host.close())
beforeEach(() => {
  store = openPictureStore(':memory:', expect.unreachable)
})

const LATE = 'did not arrive'
/** In milliseconds: long enough for any machine, or short for a host that only the limit ends. */
const TIME = { enough: LONGEST_TIME, short: 150 }

const QUEUE = { scope: 'due', sellers: [], now: 0, recipe: '', most: 9 } as const

function createTools(origins: readonly string[], time: number): PhotoTools {
  return {
    store,
    hosts: { names: [], origins },
    readPublicFile: () => null,
    brand: '',
    limits: { time, bytes: 1024 * 1024 },
    lookUp: (name, options, callback) => lookup(name, { ...options, all: true }, callback),
    now: () => 0,
  }
}

async function process(address: string, tools: PhotoTools): Promise<string | null | undefined> {
  store.showPhotos('ana', [address], [address])
  const [known] = store.readQueue(QUEUE)
  if (known === undefined) throw new Error('the photo is not in the queue')
  expect(await updatePhoto(known, tools, { signal: new AbortController().signal, onTurn: () => {} })).toBe(
    'failed',
  )
  expect(store.readQueue(QUEUE)).toEqual([])
  return store.findLacking([address], '').get(address)
}

describe('a photo ends as a stored failure', () => {
  it.each(Object.entries(RAW_WAYS))('if its host answers in the way of %s', async (path, { reason }) => {
    const time = reason.test(LATE) ? TIME.short : TIME.enough
    expect(await process(host.origin + path, createTools([host.origin], time))).toMatch(reason)
  })

  it('if its host does not speak TLS', async () => {
    const origin = host.origin.replace('http:', 'https:')
    expect(await process(`${origin}/garbage`, createTools([origin], TIME.enough))).toMatch(
      /cannot be fetched: .*(SSL|TLS|packet length)/,
    )
  })

  it('if nothing listens at its address', async () => {
    const origin = `http://${await holdClosedHost()}`
    expect(await process(`${origin}/a.jpg`, createTools([origin], TIME.enough))).toMatch(/ECONNREFUSED/)
  })

  it.each([
    ['no address', []],
    ['an address that is none', [{ address: 'none', family: 4 }]],
    ['a private address', [{ address: '10.0.0.1', family: 4 }]],
  ])('if its name leads to %s', async (_, addresses) => {
    const tools = { ...createTools([], TIME.enough), hosts: { names: ['photos.example'], origins: [] } }
    const lookUp: PhotoTools['lookUp'] = (_name, _options, callback) => callback(null, addresses)
    expect(await process('https://photos.example/a.jpg', { ...tools, lookUp })).toMatch(
      /its host has (a private|no) address|cannot be fetched/,
    )
  })

  it('if its name is never resolved', async () => {
    const tools = { ...createTools([], TIME.short), hosts: { names: ['photos.example'], origins: [] } }
    const lookUp = () => {}
    expect(await process('https://photos.example/a.jpg', { ...tools, lookUp })).toContain(LATE)
  })
})
