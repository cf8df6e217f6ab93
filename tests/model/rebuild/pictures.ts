/** A picture store in memory, with an identity and a log, that holds the pictures which have arrived. */
import type { Pictures } from '../../../src/builder/pictures/pictures.ts'
import { createStorelessPictures } from '../../../src/builder/pictures/pictures.ts'
import type { Picture } from '../../../src/domain/photos/picture.ts'

export interface PictureStore {
  readonly identity: string
  /** The version of each photo's picture, by address. */
  readonly made: Map<string, number>
  /** Addresses of photos, in the order in which their pictures changed. */
  readonly log: string[]
  /** The photos that each seller shows, as far as runs have registered them. */
  readonly uses: Map<string, readonly string[]>
}

export function createStore(identity: string): PictureStore {
  return { identity, made: new Map(), log: [], uses: new Map() }
}

/** A picture arrives, or another takes its place. */
export function addPicture({ made, log }: PictureStore, photo: string): void {
  made.set(photo, (made.get(photo) ?? 0) + 1)
  log.push(photo)
}

/** Returns the sellers who are known to show one of these photos. */
export function listUsers({ uses }: PictureStore, photos: readonly string[]): readonly string[] {
  return [...uses].filter(([, shown]) => shown.some((one) => photos.includes(one))).map(([seller]) => seller)
}

/** The bytes of a picture are its path. */
export function openPictures(store: PictureStore): Pictures {
  const { identity, made, log, uses } = store
  return {
    ...createStorelessPictures((photo) => findPicture(made, photo)),
    readVersion: () => `${identity}:${log.length}`,
    readChanges: (version) => {
      const [owner, rows] = version?.split(':') ?? []
      if (owner !== identity || Number(rows) > log.length) return null
      return listUsers(store, log.slice(Number(rows)))
    },
    register: ({ sellers, readCatalogue }) => {
      for (const seller of sellers) {
        const products = readCatalogue(seller)?.products ?? []
        uses.set(
          seller,
          products.flatMap(({ photo }) => photo ?? []),
        )
      }
    },
    readFile: (path) => Buffer.from(path),
  }
}

function findPicture(made: PictureStore['made'], photo: string): Picture | null {
  const version = made.get(photo)
  if (version === undefined) return null
  const path = photo.replace(/^.*\/(\w+)\.jpg$/, `fotos/$1${version}.avif`)
  return { type: 'image/avif', sources: [{ path, width: 320 }], tone: null }
}
