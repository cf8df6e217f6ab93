/**
 * The act for a site's own domain. Without `--allow-takeover`, the setup must not take over a domain or DNS records
 * that are in use.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Scene } from './acts.ts'
import { requireThat, demandSameLive, follow, waitForRest } from './acts.ts'
import type { Surroundings } from './surroundings.ts'

const ZONE = 'vitrina.do'
/** The first name belongs to another Worker; the second has DNS records. */
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
  requireThat(
    /Worker old-shop; www\.\S+ has DNS records/.test(text),
    `the setup must name the Worker and the DNS records that are in use, but it says:\n${text}`,
  )
  requireThat(
    domains.owners.get(used) === 'old-shop',
    'the setup took over the domain without --allow-takeover',
  )
  requireThat(domains.records.has(recorded), 'the setup replaced the DNS records without --allow-takeover')
  await follow(around, `${SET_UP} --allow-takeover`)
  requireThat(
    domains.has('vitrina') && (await around.visit('/')).status === 200,
    'the setup did not connect the domain, or the home page does not answer there',
  )
  await demandSameLive(around)
  writeFileSync(file, before)
  await follow(around, SET_UP)
  requireThat(
    (await around.visit('/')).status === 200,
    'the previous address no longer answers with the home page',
  )
  // Waits for the builds that the setups have started: each setup holds publishing, and the end of a hold starts a
  // build.
  await waitForRest(around)
}
