/** Judges the steps of the guide whose result depends on the settings, the account or the built site. Pure. */
import { formatLive } from '../../publish/cloudflare/hosted-versions.ts'
import { listOrigins } from '../../publish/cloudflare/worker-configuration.ts'
import type { SetUpFacts } from './site-facts.ts'

/** `unseen`: this machine cannot find out whether the step is done. */
export type StepState = 'done' | 'not done' | 'unseen'

/** `text` gives the reason for `state`. */
export type Judgement = readonly [state: StepState, text: string]

export function judgeAccount({ account, worker, lane }: SetUpFacts): Judgement {
  if (account === null) return ['unseen', 'CLOUDFLARE_API_TOKEN is not set (step 3)']
  if ('problem' in account) return [account.isRefused ? 'not done' : 'unseen', account.problem]
  if (account.subdomain === null) return ['not done', 'Workers & Pages was never opened in this account']
  const [address] = listOrigins(worker, account.subdomain)
  const plan = lane === 'objects' ? '. The account must have Workers Paid, which doctor cannot check' : ''
  return [
    'done',
    `the token can read the Cloudflare account, but doctor cannot check whether it may also publish; the address of the site is ${address}${plan}`,
  ]
}

export function judgeSecrets({ secrets, wrongSecrets }: SetUpFacts): Judgement {
  const [wrong] = wrongSecrets
  if (wrong !== undefined)
    return ['not done', `${wrong} must be whsec_ followed by at least 24 random bytes in base64`]
  if (!secrets.includes('REBUILD_SECRET') && !secrets.includes('BUILDER_SECRET'))
    return ['not done', 'REBUILD_SECRET is not set']
  return secrets.includes('NOTICE_SECRET')
    ? ['done', `${secrets.filter((name) => !name.endsWith('_PREVIOUS')).join(' and ')} are set`]
    : [
        'done',
        'a secret is set; set NOTICE_SECRET too, so that the trigger needs no secret that permits every call',
      ]
}

export function judgeSettings({ settingsProblems: problems, settingsFile, lane }: SetUpFacts): Judgement {
  return problems.length === 0
    ? ['done', `the settings are complete, for HOSTING=${lane}`]
    : ['not done', `${problems.join('; ')} (in ${settingsFile})`]
}

export function judgeBuild({ isBuilt, state, ...facts }: SetUpFacts): Judgement {
  if (isBuilt) return ['done', `the site was built; its state is in ${state}`]
  return isLive(facts) ? ['done', 'a site is live'] : ['not done', `nothing has been built in ${state} yet`]
}

export function judgePublish(facts: SetUpFacts): Judgement {
  const { account, hosted, worker } = facts
  if (account === null || 'problem' in account)
    return isLive(facts) ? ['done', 'a site is live'] : ['unseen', 'the Cloudflare account could not be read']
  if (account.secrets === null) return ['not done', `the account has no Worker ${worker.name} yet`]
  const lacking = [
    ...listLackingSecrets(facts).map((name) => `its secret ${name}`),
    ...account.missing,
    ...(hosted !== null && (hosted.live.length === 0 || !facts.isSetUp) ? ['a published version'] : []),
  ]
  if (lacking.length > 0) return ['not done', `the Worker ${worker.name} lacks ${lacking.join(', ')}`]
  if (hosted !== null) return ['done', formatLive(hosted.live)]
  return isLive(facts)
    ? ['done', 'a site is live']
    : ['unseen', 'Cloudflare did not say which version is live']
}

function isLive({ hosted, status }: Pick<SetUpFacts, 'hosted' | 'status'>): boolean {
  const known = status !== null && 'value' in status ? status.value : null
  return (hosted?.live.length ?? 0) > 0 || (known !== null && known.publishing.live !== null)
}

/**
 * Returns the names of the secrets that are set on this machine and not known to be set at the Worker. Ignores previous
 * secrets (`..._PREVIOUS`).
 */
export function listLackingSecrets({ account, secrets }: SetUpFacts): readonly string[] {
  const has = account !== null && 'secrets' in account ? (account.secrets ?? []) : []
  return secrets.filter((name) => !name.endsWith('_PREVIOUS') && !has.includes(name))
}
