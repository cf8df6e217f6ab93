/** Formats a diagnosis: one line for each step, and what to do next. */
import { cleanText } from '../../../domain/documents/text.ts'
import type { Paint } from '../terminal/paint.ts'
import { wrapText } from '../terminal/paint.ts'
import type { SetUpFacts } from './site-facts.ts'
import type { StepState } from './judge-machine.ts'
import type { Diagnosis, JudgedStep, NextStep } from './ten-steps.ts'

const COLORS = { done: 'green', 'not done': 'red', unseen: 'yellow' } as const
const WORDS: Readonly<Record<StepState, string>> = {
  done: 'done',
  'not done': 'not done',
  unseen: 'cannot be seen',
}

const PLACES = { assets: 'docs/operate.md', objects: 'docs/objects.md' } as const

export function formatDiagnosis(
  { steps, next }: Diagnosis,
  { lane, worker }: Pick<SetUpFacts, 'lane' | 'worker'>,
  paint: Paint,
): string {
  const width = Math.max(...steps.map(({ title }) => title.length))
  return [
    `The ten steps of ${PLACES[lane]}, for the Worker ${worker.name}:`,
    '',
    ...steps.map((step) => formatStep(step, width, paint)),
    '',
    ...(next.length === 0
      ? [`${paint.color('bold', 'Next:')} nothing. From now on, npm run status shows the state of the site.`]
      : next.flatMap((step, index) => formatNext(step, index === 0, paint))),
  ].join('\n')
}

function formatStep({ number, title, state, text }: JudgedStep, width: number, paint: Paint): string {
  const word = WORDS[state]
  const start = `${String(number).padStart(2)}  ${title.padEnd(width)}  `
  const said = cleanText(text)
  const room = paint.columns === null ? null : paint.columns - start.length
  const whole = wrapText(`${word}: ${said}`, room, start.length)
  return start + paint.color(COLORS[state], word) + whole.slice(word.length)
}

function formatNext(
  { number, state, advice, commands }: NextStep,
  isFirst: boolean,
  paint: Paint,
): readonly string[] {
  const label = isFirst ? 'Next:' : 'Then:'
  const doubt = state === 'unseen' ? ', if that is not done' : ''
  const text = wrapText(
    `step ${number}: ${advice}${doubt}.`,
    paint.columns === null ? null : paint.columns - 6,
    6,
  )
  return [
    `${paint.color('bold', label)} ${text}`,
    ...commands.map((line) => `      ${paint.color('bold', line)}`),
  ]
}
