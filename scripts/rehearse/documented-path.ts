/**
 * Follows the ten steps of the docs that lead to a site of files: does the manual work of each step, and checks its
 * result.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { meetRefusals } from './account-refusals.ts'
import type { Act } from './acts.ts'
import {
  changePrice,
  requireThat,
  demandGreen,
  demandSameLive,
  follow,
  waitForShownPrice,
  writeSettings,
} from './acts.ts'
import type { DocumentedStep } from './read-operate.ts'
import type { Said } from './shell.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * Functions by step number. Each does the manual work of a step besides its commands, and throws if the result is
 * wrong.
 */
type Checks = Readonly<
  Record<
    number,
    (around: Surroundings, step: DocumentedStep, said: readonly Said[]) => ReturnType<Act['run']>
  >
>

export const CHECKS: Checks = {
  1: async ({ cloudflare }, { names }) => {
    requireThat(
      cloudflare.versions.length === 0,
      'before step 1, the Cloudflare account already has a version of the Worker',
    )
    cloudflare.account.use(names)
  },
  2: async ({ values }, _, [said]) => {
    const secrets = [...(said?.text ?? '').matchAll(/^(\w+_SECRET)=(whsec_\S+)$/gm)]
    requireThat(secrets.length === 2, `step 2 must print two secrets, but its output is: ${said?.text}`)
    for (const [, name = '', secret = ''] of secrets) values[name] = secret
  },
  3: async (around, { settings }) => writeSettings(around, readValues(around, settings)),
  4: async (around) => {
    const { checkout, cloudflare } = around
    requireThat(existsSync(join(checkout, 'dist/index.html')), 'dist holds no home page')
    requireThat(cloudflare.versions.length === 0, 'a version was uploaded before the first publish')
    return meetRefusals(around)
  },
  5: async (around) => {
    const home = await around.visit('/')
    requireThat(
      home.status === 200 && home.text.includes('Rehearsal'),
      `the home page must have status 200 and contain "Rehearsal"; its status is ${home.status}`,
    )
    const call = await around.visit('/api/rebuild')
    requireThat(
      call.status === 405,
      `/api/rebuild must answer a GET with status 405, but answers with status ${call.status}`,
    )
    requireThat(around.cloudflare.find('vitrina').schedules.length === 1, 'the nightly schedule is not set')
    await demandSameLive(around)
  },
  6: demandSameLive,
  7: async (around, { settings }) => {
    const { repository } = around
    for (const [name, value] of Object.entries(readValues(around, settings))) {
      const kind = /TOKEN|SECRET|CREDENTIALS/.test(name) ? 'secrets' : 'variables'
      repository[kind][name] = value
    }
  },
  8: async ({ cloudflare }) => {
    const { secrets } = cloudflare.live ?? {}
    requireThat(
      secrets?.has('DISPATCH_GITHUB_REPOSITORY') === true,
      'the live version lacks the secret DISPATCH_GITHUB_REPOSITORY',
    )
  },
  9: async ({ trigger, values }) => void (trigger.secret = values['NOTICE_SECRET'] ?? null),
  10: async (around) => {
    await changePrice(around)
    await waitForShownPrice(around, 'a visitor sees the changed price')
    const steps = await demandGreen(around)
    const { pending, full } = await around.readStatus()
    requireThat(pending === 0 && !full, 'changes are still pending after a build has published them')
    await follow(around, 'npm run status')
    await demandSameLive(around)
    return steps
  },
}

export function createPath(steps: readonly DocumentedStep[], checks: Checks = CHECKS): readonly Act[] {
  requireThat(steps.length === 10, `the docs have ${steps.length} steps instead of ten`)
  return steps.map((step) => ({
    title: `step ${step.number}: ${step.title}`,
    run: async (around) => {
      const said: Said[] = []
      for (const line of step.commands) said.push(await follow(around, line))
      return checks[step.number]?.(around, step, said)
    },
  }))
}

/**
 * Returns the values of settings by name. The value comes from `NAME=value`, or from `values` if only the name is
 * given. Throws if there is none.
 */
export function readValues(
  { values }: Surroundings,
  settings: readonly string[],
): Readonly<Record<string, string>> {
  const entries = settings.map((setting) => {
    const [name = '', value = values[name]] = setting.split('=')
    requireThat(
      value !== undefined,
      `the docs name the setting ${name}, but the rehearsal has no value for it`,
    )
    return [name, value] as const
  })
  return Object.fromEntries(entries)
}
