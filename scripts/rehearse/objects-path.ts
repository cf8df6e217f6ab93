/**
 * Follows the ten steps of docs/objects.md that lead to a site of objects. Steps 4, 5 and 10 have checks of their own;
 * the other steps have those of documented-path.ts.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { meetRefusals } from './account-refusals.ts'
import type { Act } from './acts.ts'
import { changePrice, requireThat, demandGreen, demandSameLive, waitForShownPrice } from './acts.ts'
import { CHECKS, createPath } from './documented-path.ts'
import { REHEARSED_SELLERS } from './documents.ts'
import { readObjectSteps } from './read-operate.ts'
import type { Surroundings } from './surroundings.ts'

export function createObjectsPath(): readonly Act[] {
  return createPath(readObjectSteps(), {
    ...CHECKS,
    4: async (around) => {
      const { checkout, cloudflare } = around
      const has = (file: string): boolean => existsSync(join(checkout, 'dist', file))
      requireThat(
        has('404.html') && !has('index.html') && !has('catalogo/ana.html'),
        'dist must have 404.html, but no home page and no page of a seller',
      )
      requireThat(cloudflare.versions.length === 0, 'a version was uploaded before the first publish')
      return meetRefusals(around, 'objects')
    },
    5: async (around, ...rest) => {
      await CHECKS[5]?.(around, ...rest)
      const { stores } = around.cloudflare
      requireThat(stores.buckets.has('vitrina-pages'), 'the setup did not create the bucket vitrina-pages')
      requireThat(
        stores.listConsumers('vitrina').length === stores.queues.size,
        'not every queue has a consumer after the setup',
      )
      await demandAllPages(around)
    },
    10: async (around) => {
      await demandGreen(around)
      await changePrice(around)
      await waitForShownPrice(around, 'a visitor sees the changed price')
      const steps = await demandGreen(around)
      await demandSameLive(around)
      return steps
    },
  })
}

/**
 * Throws unless a visitor gets the catalogue and a product page of each seller, the sitemap lists all sellers, and
 * `/estado.json` has their number.
 */
export async function demandAllPages(around: Surroundings): Promise<void> {
  for (const seller of REHEARSED_SELLERS) {
    const { status, text } = await around.visit(`/catalogo/${seller}`)
    requireThat(
      status === 200 && text.includes(seller.toUpperCase()),
      `the page of ${seller} must have status 200 and contain the seller's name; its status is ${status}`,
    )
    const product = await around.visit(`/catalogo/${seller}/${seller}-1`)
    requireThat(
      product.status === 200,
      `the page of the product ${seller}-1 must have status 200; its status is ${product.status}`,
    )
  }
  const state = await around.visit('/estado.json')
  requireThat(
    JSON.parse(state.text).sellers === REHEARSED_SELLERS.length,
    `/estado.json must count ${REHEARSED_SELLERS.length} sellers, but it says ${state.text}`,
  )
  const listed = await listSitemap(around)
  requireThat(
    REHEARSED_SELLERS.every((seller) => listed.some((address) => address.endsWith(`/catalogo/${seller}`))),
    `the sitemap must list all sellers, but it lists only ${listed.join(', ')}`,
  )
}

/** Returns the addresses that the files of the sitemap list. */
export async function listSitemap(around: Surroundings): Promise<readonly string[]> {
  const read = async (path: string): Promise<readonly string[]> => {
    const { status, text } = await around.visit(path)
    requireThat(status === 200, `${path} must answer with status 200, but answers with status ${status}`)
    return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)
  }
  const files = await read('/sitemap.xml')
  const pages = await Promise.all(files.map((file) => read(new URL(file).pathname)))
  return pages.flat()
}
