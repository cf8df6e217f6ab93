/** A picture store in memory, with a log, that holds the pictures which have arrived. */
import type { Pictures } from '../../../src/builder/pictures/pictures.ts'
import { createStorelessPictures } from '../../../src/builder/pictures/pictures.ts'
import type { Picture } from '../../../src/domain/photos/picture.ts'

export interface PictureStore {
  /** The run that last made a site with these pictures. */
  run: string
  /** The version of each photo's picture, by address. */
  readonly made: Map<string, number>
  /** Addresses of photos, in the order in which their pictures changed. */
  readonly log: string[]
  /** The photos that each seller shows, as far as runs have registered them. */
  readonly uses: Map<string, readonly string[]>
}

export function createStore(): PictureStore {
  return { run: '', made: new Map(), log: [], uses: new Map() }
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
  const { made, log, uses } = store
  return {
    ...createStorelessPictures((photo) => findPicture(made, photo)),
    isOf: (run) => store.run === run,
    readLast: () => log.length,
    readChanges: () => listUsers(store, log),
    settle: (run, last) => {
      store.run = run
      log.splice(0, last)
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
