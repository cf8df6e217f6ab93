/**
 * The act for a site's own domain: the setup takes over no domain or DNS records in use unless `--allow-takeover` is
 * given.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Scene } from './acts.ts'
import { requireThat, demandSameLive, follow, waitForRest } from './acts.ts'
import type { Surroundings } from './surroundings.ts'

const ZONE = 'vitrina.do'
/** The first belongs to another Worker, the second has DNS records. */
const NAMES = [ZONE, `www.${ZONE}`]
const SET_UP = 'npm run deploy -- --setup'

export const DOMAIN_ACTS: Scene = [
  { title: 'a domain in use is taken over only with --allow-takeover', run: takeDomain },
]

async function takeDomain(around: Surroundings): Promise<void> {
  const { checkout, cloudflare } = around
  await follow(around, 'npm run rebuild -- --pending --deploy')
  const { domains } = cloudflare
  const [used = '', recorded = ''] = NAMES
  domains.zones.add(ZONE)
  domains.owners.set(used, 'old-shop')
  domains.records.add(recorded)
  const file = join(checkout, 'wrangler.jsonc')
  const before = readFileSync(file, 'utf8')
  const routes = NAMES.map((pattern) => ({ pattern, custom_domain: true }))
  writeFileSync(file, before.replace('"triggers"', `"routes": ${JSON.stringify(routes)},\n"triggers"`))
  const { text } = await follow(around, SET_UP, 1)
  requireThat(/Worker old-shop; www\.\S+ has DNS records/.test(text), `the setup says:\n${text}`)
  requireThat(domains.owners.get(used) === 'old-shop', 'the domain was taken')
  requireThat(domains.records.has(recorded), 'the records were replaced')
  await follow(around, `${SET_UP} --allow-takeover`)
  requireThat(
    domains.has('vitrina') && (await around.visit('/')).status === 200,
    'the domain does not answer',
  )
  await demandSameLive(around)
  writeFileSync(file, before)
  await follow(around, SET_UP)
  requireThat((await around.visit('/')).status === 200, 'the earlier address is gone')
  // Waits for the builds of the setups: each setup holds publishing while it runs, and the end of a hold starts a
  // build.
  await waitForRest(around)
}
