/** The nightly build makes the pictures that wait, a part at a time, and notices replaced photos. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPictures } from '../../../../src/builder/pictures/open-pictures.ts'
import { buildWithPhotos } from '../../../../src/builder/publish/pending/build-with-photos.ts'
import type { World } from '../../../../src/builder/rebuild/world.ts'
import { createPhoto, startPhotoHost } from '../../pictures/photo-host.ts'
import type { PhotoHost } from '../../pictures/photo-host.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { startCoordinator } from '../../../support/edge/local-coordinator.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createWorld } from '../../../support/rebuild/world.ts'

const path = useTemporaryFolder()
const HOUR = 60 * 60_000
/** More sellers than those whose pictures a rebuild draws at once. */
const SELLERS = Array.from({ length: 33 }, (_, index) => `s${index}`)
const PHOTOS = SELLERS.slice(0, 6)

let host: PhotoHost
let coordinator: LocalCoordinator
/** Time of the picture store. */
let now = Date.now()
beforeEach(async () => {
  ;[host, coordinator] = await Promise.all([startPhotoHost(), startCoordinator()])
  for (const seller of PHOTOS) host.put(`/${seller}.jpg`, await createPhoto('#a03040', 60, 80))
})
afterEach(() => Promise.all([host.close(), coordinator.close()]))

function openWorld(sellers: readonly string[]): World {
  const documents = sellers.flatMap((seller) => {
    const photo = PHOTOS.includes(seller) ? `${host.origin}/${seller}.jpg` : null
    return [user(seller), product(`p-${seller}`, seller, { photo })]
  })
  const world = createWorld({ folder: path('site'), documents })
  const hosts = { names: [], origins: [host.origin] }
  const store = path('pictures.sqlite')
  const setup = { mode: 'files', hosts, store, brand: 'Vitrina', makesPreviews: true } as const
  const surroundings = { readPublicFile: () => null, now: () => now, warn: () => {} }
  return { ...world, pictures: openPictures(setup, surroundings) }
}

interface Night {
  readonly sellers?: readonly string[]
  /** Aborted when this step begins. */
  readonly endsAt?: 'publish' | 'pictures'
}

/** A build after a full read was asked for. Returns how often it published. */
async function runNight(total: number, { sellers = SELLERS, endsAt }: Night = {}): Promise<number> {
  await coordinator.client.notifyFull()
  const ending = new AbortController()
  const world: World = {
    ...openWorld(sellers),
    progress: (text) => {
      if (endsAt === 'pictures' && text === 'Making pictures') ending.abort()
    },
  }
  let published = 0
  try {
    await buildWithPhotos(
      {
        world,
        client: coordinator.client,
        builder: 'one',
        publish: async () => {
          published += 1
          if (endsAt === 'publish') ending.abort()
          return []
        },
        tell: () => {},
        ending: ending.signal,
      },
      { total, part: 60_000 },
    )
    return published
  } finally {
    world.state.close()
    world.pictures.close()
  }
}

const readPage = (seller: string): string => readFileSync(path(`site/dist/catalogo/${seller}.html`), 'utf8')
const countWaiting = (): number | null => coordinator.twin.status().photos

it('makes the pictures that the build left, and reports how many wait', async () => {
  // Without time for pictures the build leaves those for shared links, and on a slow machine photos, too.
  await runNight(0)
  expect(countWaiting()).toBeGreaterThanOrEqual(SELLERS.length)
  for (const seller of SELLERS) expect(readPage(seller)).not.toContain('"social/')
  expect(await runNight(HOUR)).toBeGreaterThan(1)
  expect(countWaiting()).toBe(0)
  for (const seller of SELLERS) expect(readPage(seller)).toContain('"social/')
  for (const seller of PHOTOS) expect(readPage(seller)).toContain('"fotos/')
  expect(new Set(host.asked).size).toBe(PHOTOS.length)
})

it.each(['publish', 'pictures'] as const)('begins no other build when it must end: %s', async (endsAt) => {
  expect(await runNight(HOUR, { endsAt })).toBe(1)
})

it('shows a photo that was replaced under its address', async () => {
  await runNight(HOUR, { sellers: ['s0'] })
  const before = readPage('s0')
  host.put('/s0.jpg', await createPhoto('#204060', 60, 80))
  now += 24 * HOUR
  await runNight(HOUR, { sellers: ['s0'] })
  expect(readPage('s0')).not.toBe(before)
})
