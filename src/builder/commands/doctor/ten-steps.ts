/** The ten steps of the guide: for each, whether it is done, and what to do. Pure. */
import type { Judgement, StepState } from './judge-machine.ts'
import {
  judgeAccount,
  judgeBuild,
  judgePublish,
  judgeSecrets,
  judgeSettings,
  listLackingSecrets,
} from './judge-machine.ts'
import { judgeChange, judgeCoordinator, judgeDispatch, judgeGitHub, judgeTrigger } from './judge-site.ts'
import type { SetUpFacts } from './site-facts.ts'

interface GuideStep {
  /** The first words of the step in the guide. */
  readonly title: string
  readonly judge: (facts: SetUpFacts) => Judgement
  /** The action, as a phrase that begins in lower case and has no final period. */
  readonly advice: string
  readonly commands: (facts: SetUpFacts) => readonly string[]
}

const none = (): readonly string[] => []

export const TEN_STEPS: readonly GuideStep[] = [
  {
    title: 'Cloudflare',
    judge: judgeAccount,
    advice:
      'open Workers & Pages at https://dash.cloudflare.com once, and make an API token from the template Edit Cloudflare Workers',
    commands: none,
  },
  {
    title: 'Two secrets',
    judge: judgeSecrets,
    advice: 'make two secrets with the command below, and add the lines that it prints to the settings file',
    commands: () => [
      `node -e "for (const one of ['REBUILD', 'NOTICE']) console.log(one + '_SECRET=whsec_' + crypto.randomBytes(32).toString('base64'))"`,
    ],
  },
  {
    title: '.env',
    judge: judgeSettings,
    advice: 'complete the settings; .env.example explains each',
    commands: none,
  },
  {
    title: 'Build',
    judge: judgeBuild,
    advice: 'build the site',
    commands: (facts) => [npm(facts, 'rebuild')],
  },
  {
    title: 'Publish',
    judge: judgePublish,
    advice: 'give the Worker its secrets, then put it live',
    commands: (facts) => [
      ...listLackingSecrets(facts).map((name) => wrangler(facts, name)),
      npm(facts, 'deploy', '--setup'),
    ],
  },
  {
    title: 'Look',
    judge: judgeCoordinator,
    advice: 'check the status of the site',
    commands: (facts) => [npm(facts, 'status')],
  },
  {
    title: 'GitHub',
    judge: judgeGitHub,
    advice: 'push the project to GitHub, with the secrets and variables that the guide lists',
    commands: none,
  },
  {
    title: 'Dispatch',
    judge: judgeDispatch,
    advice: 'give the Worker the name of the repository, and a token that may start its workflow',
    commands: (facts) =>
      ['DISPATCH_GITHUB_TOKEN', 'DISPATCH_GITHUB_REPOSITORY'].map((name) => wrangler(facts, name)),
  },
  {
    title: 'Firestore',
    judge: judgeTrigger,
    advice: 'deploy the trigger as functions/firestore-trigger/README.md says, then change a document',
    commands: none,
  },
  {
    title: 'Change something',
    judge: judgeChange,
    advice: 'change a document, or report a seller as changed, then check the status until nothing waits',
    commands: (facts) => [npm(facts, 'notify', '<seller>'), npm(facts, 'status')],
  },
]

function npm({ stage }: SetUpFacts, command: string, ...words: readonly string[]): string {
  const rest = [...(stage === null ? [] : ['--env', stage]), ...words]
  return `npm run ${command}${rest.length === 0 ? '' : ` -- ${rest.join(' ')}`}`
}

function wrangler({ stage }: SetUpFacts, secret: string): string {
  return `npx wrangler secret put ${secret}${stage === null ? '' : ` --env ${stage}`}`
}

export interface JudgedStep {
  readonly number: number
  readonly title: string
  readonly state: StepState
  readonly text: string
}

export interface Diagnosis {
  readonly steps: readonly JudgedStep[]
  /**
   * The first step that is `not done`, preceded by all `unseen` steps directly before it. Empty if no step is `not
   * done`.
   */
  readonly next: readonly NextStep[]
}

export interface NextStep extends Pick<JudgedStep, 'number' | 'state'> {
  readonly advice: string
  readonly commands: readonly string[]
}

export function diagnose(facts: SetUpFacts): Diagnosis {
  const steps = TEN_STEPS.map(({ title, judge }, index) => {
    const [state, text] = judge(facts)
    return { number: index + 1, title, state, text }
  })
  const last = steps.findIndex(({ state }) => state === 'not done')
  const before = steps.slice(0, Math.max(0, last)).toReversed()
  const seen = before.findIndex(({ state }) => state !== 'unseen')
  const unseen = seen === -1 ? before.length : seen
  return {
    steps,
    next: steps.slice(last === -1 ? steps.length : last - unseen, last + 1).map(({ number, state }) => {
      const step = TEN_STEPS[number - 1]
      return { number, state, advice: step?.advice ?? '', commands: step?.commands(facts) ?? [] }
    }),
  }
}
