/** Colours and widths of what is printed on a terminal and elsewhere. */
import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { formatDiagnosis } from '../../../../src/builder/commands/doctor/format-diagnosis.ts'
import type { Diagnosis } from '../../../../src/builder/commands/doctor/ten-steps.ts'
import { createPaint } from '../../../../src/builder/commands/terminal/paint.ts'

const DIAGNOSIS: Diagnosis = {
  steps: [
    { number: 1, title: 'Cloudflare', state: 'done', text: 'the account is open' },
    { number: 2, title: 'Two secrets', state: 'unseen', text: 'nobody\u001b[2J can tell' },
    { number: 3, title: '.env', state: 'not done', text: 'SITE_URL is not set; '.repeat(8).trim() },
  ],
  next: [{ number: 3, state: 'not done', advice: 'complete the settings', commands: ['npm run status'] }],
}
const worker = { name: 'vitrina', account: null, observability: null, domains: [] }

function format(looks: object): string {
  const stream = Object.assign(new Writable(), looks)
  return formatDiagnosis(DIAGNOSIS, { lane: 'assets', worker }, createPaint(stream))
}

it('fits into the columns of a terminal, and has colours there', () => {
  const text = format({ isTTY: true, columns: 80, hasColors: () => true })
  expect(text).toContain('\u001b[31mnot done\u001b[39m: SITE_URL')
  // oxlint-disable-next-line no-control-regex -- The colours.
  const lines = text.replaceAll(/\u001b\[\d+m/g, '').split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(lines.length).toBeGreaterThan(8)
})

it('has no colours where the terminal has none, and takes none from others', () => {
  const text = format({ isTTY: true, columns: 80, hasColors: () => false })
  expect(text).not.toContain('\u001b')
})

it('is a line for each step where there is no terminal', () => {
  expect(format({}).split('\n')).toEqual([
    'The ten steps of docs/operate.md, for the Worker vitrina:',
    '',
    ' 1  Cloudflare   done: the account is open',
    ' 2  Two secrets  cannot be seen: nobody [2J can tell',
    expect.stringMatching(/^ 3 {2}\.env {9}not done: SITE_URL is not set; /),
    '',
    'Next: step 3: complete the settings.',
    '      npm run status',
  ])
})
