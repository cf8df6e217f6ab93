/** The next steps that messages about a second site name, which must not act on the site of production. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTerminal } from '../../../../src/builder/commands/program.ts'
import { formatError } from '../../../../src/builder/commands/terminal/format-error.ts'
import { createProgress } from '../../../../src/builder/commands/terminal/progress.ts'
import { PublishError } from '../../../../src/builder/publish/publish-error.ts'

const STAGING = { VITRINA_ENV: 'staging' }

it.each([
  [
    'held: npm run deploy -- --release ends that',
    'held: npm run deploy -- --env staging --release ends that',
  ],
  ['run npm run rebuild, then try again', 'run npm run rebuild -- --env staging, then try again'],
  ['npm run rebuild -- --env staging', 'npm run rebuild -- --env staging'],
  [
    'npm run rebuilds, npm run import -- a b, npm start',
    'npm run rebuilds, npm run import -- a b, npm start',
  ],
])('have its name: %s', (text, named) => {
  expect(formatError(new PublishError(text), STAGING)).toBe(named)
  expect(formatError(new PublishError(text), {})).toBe(text)
  expect(formatError(new PublishError(text), { VITRINA_ENV: 'No Stage' })).toBe(text)
})

it('have its name in all that is printed', () => {
  const said: string[] = []
  for (const name of ['log', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((line) => void said.push(String(line)))
  vi.stubEnv('VITRINA_ENV', 'staging')
  onTestFinished(() => void vi.restoreAllMocks().unstubAllEnvs())
  const { print, warn } = createTerminal(createProgress('deploy'), false)
  for (const tell of [print, warn]) tell('npm run deploy -- --release ends the hold')
  expect(said).toEqual(Array(2).fill('npm run deploy -- --env staging --release ends the hold'))
})
