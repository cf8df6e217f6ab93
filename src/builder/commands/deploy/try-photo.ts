/**
 * With `PHOTOS=service`: fetches one resized photo of the live site, because only this proves that Cloudflare resizes
 * photos.
 */
import { createServiceLookUp } from '../../../domain/pages/find-pictures.ts'
import type { PhotoHosts } from '../../../domain/photos/photo-hosts.ts'
import { lookAtPicture } from '../../publish/look-at-site.ts'
import type { SiteState } from '../../state/site-state.ts'
import type { Configuration } from '../configuration.ts'

/** Returns lines to print. */
export async function tryPhoto(
  {
    photos: { mode, hosts },
    site: { url },
    maxProducts,
  }: Pick<Configuration, 'photos' | 'site' | 'maxProducts'>,
  state: Pick<SiteState, 'readSellers' | 'readCatalogue'>,
): Promise<readonly string[]> {
  const path = mode === 'service' ? findPath(state, hosts, maxProducts) : null
  const problem = path === null ? null : await lookAtPicture(`${url}/${path}`)
  if (problem === null) return []
  return [
    `  photos    NOT resized: ${problem}. PHOTOS=service needs Transformations switched on for the zone, and the photos' host among its Sources`,
  ]
}

/** Returns the path of a resized photo; `null` if the site has none. */
function findPath(
  state: Pick<SiteState, 'readSellers' | 'readCatalogue'>,
  hosts: PhotoHosts,
  maxProducts: number,
): string | null {
  const findPicture = createServiceLookUp(hosts)
  for (const seller of state.readSellers())
    for (const { photo } of state.readCatalogue(seller, maxProducts)?.products ?? []) {
      const [source] = (photo === null ? null : findPicture(photo))?.sources ?? []
      if (source !== undefined) return source.path
    }
  return null
}
