/** Lists the files of the output folder, and refuses a site that Cloudflare would not take. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { findPage } from '../../domain/documents/page-address.ts'
import type { PageSwitch } from '../../domain/documents/page-switches.ts'
import { mapSwitches } from '../../domain/documents/page-switches.ts'
import { findEntry } from '../../domain/documents/page-table.ts'
import { PHOTO_FOLDER, SOCIAL_FOLDER } from '../../domain/photos/picture.ts'
import { LARGEST_FILE } from '../rebuild/site-writer.ts'
import type { Output } from '../state/output.ts'
import { listFilesBelow } from '../state/output.ts'
import type { FileCount } from './file-limit.ts'
import { findSurplus } from './file-limit.ts'
import { PublishError } from './publish-error.ts'

interface VerifiedFolder {
  readonly folder: string
  readonly output: Pick<Output, 'list'>
}

export interface Verification extends FileCount {
  /** The page of a seller that was written last; `null` if there is none. */
  readonly newest: string | null
}

/** Files that configure Cloudflare. They do not count towards the file limit, because they are not served. */
const RULES = ['_headers', '_redirects', '.assetsignore']
const PICTURES = [PHOTO_FOLDER, SOCIAL_FOLDER]
const SELLER_PAGE = /^catalogo\/.*(?<!404)\.html$/

/** Throws a `PublishError` if the site has too many files, or one that is too large. */
export function verifySite({ folder, output }: VerifiedFolder): Verification {
  const files = listFilesBelow(output, '').filter((path) => !RULES.includes(path))
  let newest: string | null = null
  let latest = 0
  for (const path of files) {
    const { size, mtimeMs } = statSync(join(folder, path))
    if (size > LARGEST_FILE)
      throw new PublishError(
        `The site cannot be published: ${path} is larger than Cloudflare allows (25 MiB). If it is from the public folder, make it smaller there.`,
      )
    if (mtimeMs > latest && SELLER_PAGE.test(path)) [newest, latest] = [path, mtimeMs]
  }
  const verification = { ...countFiles(files), newest }
  const surplus = findSurplus(verification)
  if (surplus !== null) throw new PublishError(`The site cannot be published: ${surplus}.`)
  return verification
}

function countFiles(files: readonly string[]): FileCount {
  const switched = { ...mapSwitches(() => 0) }
  for (const path of files) {
    const name = findSwitch(path)
    if (name !== undefined) switched[name] += 1
  }
  const isPicture = (path: string): boolean => PICTURES.some((where) => path.startsWith(where))
  return { files: files.length, pictures: files.filter(isPicture).length, switched }
}

function findSwitch(path: string): PageSwitch | undefined {
  const page = findPage(path)
  return page === null ? undefined : findEntry(page.kind).switch
}
