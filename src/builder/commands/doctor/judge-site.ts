/** Judges the steps of the guide whose result depends on the answers of the site’s coordinator. Pure. */
import { formatAge } from '../../format-numbers.ts'
import { readSentence } from '../../publish/publish-error.ts'
import { findVerdict } from '../coordinator/find-verdict.ts'
import type { Judgement } from './judge-machine.ts'
import type { SetUpFacts } from './site-facts.ts'

type Known = Extract<NonNullable<SetUpFacts['status']>, { value: unknown }>['value']

const FROM_GITHUB = /^GitHub run /
/** Matches the coordinator's description of a dispatch target at GitHub. */
const AT_GITHUB = /^GitHub /

export function judgeCoordinator({ status, hosted }: SetUpFacts): Judgement {
  if (status === null) return ['not done', 'needs steps 2 and 3 first']
  if ('problem' in status) return ['not done', status.problem]
  const { publishing, objects } = status.value
  const isPublished = publishing.live !== null || objects?.lastPut != null
  return [isPublished ? 'done' : 'not done', findVerdict(status.value, hosted).line]
}

/** Returns the result of `judge`; `not done` if the coordinator was not asked or did not answer. */
function judgeKnown({ status }: SetUpFacts, judge: (known: Known) => Judgement): Judgement {
  if (status === null) return ['not done', 'needs steps 2 and 3 first']
  return 'problem' in status
    ? ['not done', 'needs an answer from the coordinator: see step 6']
    : judge(status.value)
}

export function judgeGitHub(facts: SetUpFacts): Judgement {
  return judgeKnown(facts, ({ log, dispatch }) => {
    const run = log?.find(({ by }) => FROM_GITHUB.test(by ?? ''))?.by
    if (run != null) return ['done', `${run} has published`]
    if (facts.hasNoBuilder) return ['done', 'not needed: the settings say that no builder is started']
    if (dispatch.target !== null && !AT_GITHUB.test(dispatch.target))
      return ['done', `not needed: ${dispatch.target} builds`]
    return ['unseen', 'the log of the site names no publish by a run of the workflow']
  })
}

export function judgeDispatch(facts: SetUpFacts): Judgement {
  return judgeKnown(facts, ({ dispatch, changes, ...known }) => {
    if (dispatch.error !== null)
      return ['not done', `no builder could be started: ${readSentence(new Error(dispatch.error.reason))}`]
    const target = changes?.builder ?? dispatch.target
    if (target !== null) return ['done', target]
    if (facts.hasNoBuilder) return ['done', 'no builder, as the settings say']
    return ['not done', known.problems[0] ?? 'the site has no builder to dispatch']
  })
}

export function judgeTrigger(facts: SetUpFacts): Judgement {
  return judgeKnown(facts, ({ now, lastNotice }) => {
    if (facts.source !== 'firestore')
      return [
        'done',
        `not needed: only Firestore has a trigger, and CATALOGUE_SOURCE is ${facts.source || 'not set'}`,
      ]
    if (lastNotice === null) return ['not done', 'no notice of a change has arrived yet']
    const age = formatAge(now, lastNotice)
    return ['unseen', `the last notice came ${age} ago, from the trigger or from npm run notify`]
  })
}

export function judgeChange(facts: SetUpFacts): Judgement {
  return judgeKnown(facts, ({ lastNotice, pending, changes, result, objects }) => {
    const lastPut = objects?.lastPut ?? null
    if (lastNotice === null) return ['not done', 'no change was ever reported']
    const waiting = pending + (changes?.waiting ?? 0)
    const isShown = result?.error === null || (lastPut !== null && lastPut >= lastNotice)
    return waiting > 0 && !isShown
      ? ['not done', 'changes wait, and none is known to be live yet']
      : ['done', waiting === 0 ? 'nothing waits' : 'earlier changes are live, newer ones wait']
  })
}
