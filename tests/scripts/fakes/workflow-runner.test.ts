/** The runner of workflows: expressions, conditions, caches and failing steps, as at GitHub. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { evaluate, fillIn, fillValue } from '../../../scripts/fakes/workflow-expression.ts'
import { findWorkflow } from '../../../scripts/fakes/workflow-files.ts'
import type { RunStep } from '../../../scripts/fakes/workflow-runner.ts'
import { runWorkflow } from '../../../scripts/fakes/workflow-runner.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'

const path = useTemporaryFolder()

async function run(steps: string): Promise<readonly RunStep[]> {
  const folder = path('repository/.github/workflows')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    `${folder}/one.yml`,
    `on: {}\njobs:\n  one:\n    steps:\n${steps.replaceAll(/^/gm, '      ')}`,
  )
  const repository = { folder: path('repository'), secrets: { KEY: 'secret' }, variables: {} }
  const environment = { PATH: process.env['PATH'] ?? '' }
  const options = { repository, environment, folder: path('runner'), checkOut: () => {} }
  return runWorkflow(findWorkflow(repository.folder, 'one.yml'), {}, {}, options)
}

describe('an expression', () => {
  const contexts = {
    inputs: { full: false, name: 'a' },
    vars: {},
    github: { event_name: 'push', run_id: '7' },
  }

  it.each([
    ["github.event_name == 'push' && github.run_id || 'other'", '7'],
    ["vars.UNSET || 'default'", 'default'],
    ['!inputs.full', true],
    ["inputs.name != 'a'", false],
  ])('%s is %s', (code, value) => {
    expect(evaluate(code, contexts)).toBe(value)
  })

  it('becomes a text within a text, and keeps its type alone', () => {
    expect(fillIn('${{ vars.UNSET }}-${{ inputs.full }}', contexts)).toBe('-false')
    expect(fillValue('${{ inputs.full }}', contexts)).toBe(false)
  })

  it('that the runner does not know is an error', () => {
    expect(() => evaluate('hashFiles(1, 2)', contexts)).toThrow('does not')
    expect(() => evaluate('needs.x', contexts)).toThrow('does not know')
  })
})

describe('a job', () => {
  it('stops after a failed step, but for steps that want to run always', async () => {
    const steps = await run(
      '- run: echo one\n- run: exit 3\n- run: echo never\n- run: echo last\n  if: always()\n',
    )
    expect(steps.map(({ name, isDone }) => [name, isDone])).toEqual([
      ['echo one', true],
      ['exit 3', false],
      ['echo last', true],
    ])
  })

  it('gets secrets by name in the environment of a step only', async () => {
    const steps = await run(
      '- run: echo "<$KEY>"\n- run: echo "<$KEY>"\n  env: { KEY: "${{ secrets.KEY }}" }\n',
    )
    expect(steps.map(({ said }) => said.trim())).toEqual(['<>', '<secret>'])
  })

  it('restores the newest cache, and never replaces one', async () => {
    const save = (key: string): string =>
      `- run: echo ${key} > state\n- uses: actions/cache/save@1\n  with: { path: state, key: ${key} }\n`
    await run(save('state-1'))
    await run(save('state-2'))
    const again = await run(save('state-2'))
    expect(again.at(-1)).toMatchObject({ isDone: false })
    const [, read] = await run(
      `- uses: actions/cache/restore@1\n  with: { path: state, key: state-3, restore-keys: state- }\n- run: cat state\n`,
    )
    expect(read?.said.trim()).toBe('state-2')
    expect(readFileSync(path('runner/caches/keys'), 'utf8')).toBe('state-1\nstate-2\n')
  })
})
