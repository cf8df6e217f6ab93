/** Each answer of a hostile host, and each missing answer, ends with a failure in the store. */
import dns from 'node:dns'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PictureStore } from '../../../src/builder/pictures/picture-store.ts'
import { openPictureStore } from '../../../src/builder/pictures/picture-store.ts'
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
afterEach(() => vi.restoreAllMocks())
beforeEach(() => {
  store = openPictureStore(':memory:', expect.unreachable)
})

const LATE = 'did not arrive'
/** In milliseconds: long enough for any machine, or short for a host that only the limit ends. */
const TIME = { enough: LONGEST_TIME, short: 150 }

interface Updating {
  readonly names?: readonly string[]
  readonly origins?: readonly string[]
  readonly time: number
}

/** Returns the reason of the failure that the store keeps. */
async function update(address: string, { names = [], origins = [], time }: Updating): Promise<unknown> {
  const listQueue = () => store.readQueue(['ana'], 0, true)
  store.showPhotos('ana', [address], [[address, '']])
  expect(listQueue()).toEqual([address])
  const isChanged = await updatePhoto(address, {
    store,
    hosts: { names, origins },
    brand: '',
    readPublicFile: () => null,
    now: () => 0,
    time,
    signal: new AbortController().signal,
  })
  expect([isChanged, listQueue()]).toEqual([false, []])
  return store.findReasons([address]).get(address)
}

describe('a photo ends as a stored failure', () => {
  it.each(Object.entries(RAW_WAYS))('if its host answers in the way of %s', async (path, { reason }) => {
    const time = reason.test(LATE) ? TIME.short : TIME.enough
    expect(await update(host.origin + path, { origins: [host.origin], time })).toMatch(reason)
  })

  it('if its host does not speak TLS', async () => {
    const origin = host.origin.replace('http:', 'https:')
    expect(await update(`${origin}/garbage`, { origins: [origin], time: TIME.enough })).toMatch(
      /cannot be fetched: .*(SSL|TLS|packet length)/,
    )
  })

  it('if nothing listens at its address', async () => {
    const origin = `http://${await holdClosedHost()}`
    expect(await update(`${origin}/a.jpg`, { origins: [origin], time: TIME.enough })).toMatch(/ECONNREFUSED/)
  })

  it.each([
    ['no address', [], 'cannot be fetched'],
    ['an address that is none', ['none'], 'its host has a private address'],
    ['a private address', ['10.0.0.1'], 'its host has a private address'],
    ['a private address among public ones', ['8.8.8.8', '10.0.0.1'], 'its host has a private address'],
  ])('if its name leads to %s', async (_, addresses, reason) => {
    stubLookUp((callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      ),
    )
    const names = ['photos.example']
    expect(await update('https://photos.example/a.jpg', { names, time: TIME.enough })).toContain(reason)
  })

  it('if its name is never resolved', async () => {
    stubLookUp(() => {})
    const names = ['photos.example']
    expect(await update('https://photos.example/a.jpg', { names, time: TIME.short })).toContain(LATE)
  })
})

type Found = (error: null, addresses: readonly dns.LookupAddress[]) => void

function stubLookUp(answer: (callback: Found) => void): void {
  vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: unknown, callback: Found) =>
    answer(callback)) as typeof dns.lookup)
}
