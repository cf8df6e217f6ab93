/**
 * Opens a stage: compiled variants of the code, public folders, and a photo host, which all stories of a proof share.
 */
import { appendFileSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from '../../../src/builder/state/manifest.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { LocalServer } from '../../local/local-server.ts'
import { openTemporary } from '../temporary.ts'
import type { PhotoColour } from './proof-photos.ts'
import { drawPhoto, writePhotos } from './proof-photos.ts'
import type { PublicFolder } from './run-request.ts'
import type { CodeVariant } from './variants.ts'
import { compileVariants } from './variants.ts'

export interface Stage {
  /** The folder of all sites and sources. */
  readonly folder: string
  readonly variants: readonly CodeVariant[]
  readonly publicFolders: readonly PublicFolder[]
  readonly photoHost: StoryPhotoHost
  close(): void
}

interface StoryPhotoHost {
  readonly origin: string
  /** Addresses on the host: photos, a file that is no photo, and a missing file. */
  readonly addresses: readonly string[]
  close(): void
}

interface StageOptions {
  /** Max number of variants to compile. */
  readonly count?: number
  readonly progress: (text: string) => void
}

export async function openStage({ count = Infinity, progress }: StageOptions): Promise<Stage> {
  const variants = await compileVariants(progress, count)
  const photoHost = await startPhotoHost()
  const { folder, remove } = openTemporary()
  return {
    folder: join(folder, 'stage'),
    variants,
    publicFolders: await createPublicFolders(join(folder, 'public')),
    photoHost,
    close: () => {
      photoHost.close()
      remove()
    },
  }
}

/** Starts a photo host on this machine. Its photos never change. */
async function startPhotoHost(): Promise<StoryPhotoHost> {
  const files = new Map<string, Uint8Array | string>([
    ['/olive.jpg', await drawPhoto('olive')],
    ['/plum.jpg', await drawPhoto('plum')],
    ['/text.jpg', 'no photo at all'],
  ])
  const server = new LocalServer(({ url = '' }, response) => {
    const bytes = files.get(url)
    if (bytes === undefined) response.statusCode = 404
    response.end(bytes)
  })
  const { origin } = await server.start()
  const addresses = [...files.keys(), '/missing.jpg'].map((path) => origin + path)
  return { origin, addresses, close: () => server.close() }
}

/**
 * Creates three copies of the project's public folder. The first has two photos. The second also has a third photo,
 * another icon and another robots.txt. The third has other files under the names of the two photos; one of these files
 * is not a photo.
 */
async function createPublicFolders(folder: string): Promise<readonly PublicFolder[]> {
  const create = async (name: string, colours: readonly PhotoColour[]): Promise<string> => {
    const copy = join(folder, name)
    cpSync(join(ROOT, 'public'), copy, { recursive: true })
    await writePhotos(copy, colours)
    return copy
  }
  const [one, two, three] = [
    await create('one', ['tomato', 'teal']),
    await create('two', ['tomato', 'teal', 'gold']),
    await create('three', ['navy', 'broken']),
  ]
  appendFileSync(join(two, 'favicon.svg'), '<!-- another -->\n')
  writeFileSync(join(two, 'robots.txt'), 'User-agent: *\n')
  const names = {
    'as it is': one,
    'with another icon, robots.txt and one more photo': two,
    'with other photos under the same names': three,
  }
  return Object.entries(names).map(([name, copy]) => ({ name, folder: copy, files: readManifest(copy, '.') }))
}
