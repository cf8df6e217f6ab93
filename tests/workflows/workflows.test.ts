/** The workflows at GitHub: their triggers, permissions, settings and steps. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluate } from '../../scripts/fakes/workflow-expression.ts'
import type { WorkflowStep } from '../../scripts/fakes/workflow-files.ts'
import { findWorkflow, readWorkflows } from '../../scripts/fakes/workflow-files.ts'
import { SETTING_DEFAULTS } from '../../src/builder/commands/settings.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { GITHUB_WORKFLOW } from '../../src/edge/coordinator/send-dispatch.ts'
import { ROOT } from '../support/rebuild.ts'
import { useTemporaryFolder } from '../support/temporary.ts'

/** Settings of other machines. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  DISPATCH_SECRET: 'of a builder that listens',
  FIRESTORE_EMULATOR_HOST: 'of a local emulator',
  NOTICE_SECRET: 'of those who send notices; the secret of builders opens their route too',
  NOTICE_SECRET_PREVIOUS: 'the same',
  GOOGLE_APPLICATION_CREDENTIALS: 'written from GOOGLE_CREDENTIALS by the step',
}

const read = (file: string): string => readFileSync(join(ROOT, '.github/workflows', file), 'utf8')
const workflows = readWorkflows(ROOT)
const rebuild = findWorkflow(ROOT, GITHUB_WORKFLOW.file)
const main = findWorkflow(ROOT, 'main.yml')
const job = findWorkflow(ROOT, 'publish.yml').jobs['publish']
const steps = job?.steps ?? []

const path = useTemporaryFolder()

const findUse = (name: string): number => steps.findIndex(({ uses }) => uses?.startsWith(`${name}@`) === true)
const findRun = (words: string): number => steps.findIndex(({ run }) => run?.includes(words) === true)
const publishing = steps[findRun('npm run -s rebuild')]

/** Runs the step with an npm that notes its arguments and exits with these codes, one after another. */
function runPublishing(
  exits: readonly number[],
  env: Readonly<Record<string, string>> = {},
): { readonly status: number | null; readonly stdout: string; readonly calls: readonly string[] } {
  const lines = [
    `echo "$*" >> ${path('calls')}`,
    `code=$(head -n 1 ${path('exits')})`,
    `sed -i 1d ${path('exits')}`,
    'exit $code',
  ]
  writeFileSync(path('npm'), `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 })
  writeFileSync(path('exits'), `${exits.join('\n')}\n`)
  writeFileSync(path('calls'), '')
  const PATH = [path(), process.env['PATH']].join(delimiter)
  const environment = {
    BUSY_PAUSE: '0',
    FULL: 'false',
    ALLOW_SHRINK: 'false',
    ...env,
    RUNNER_TEMP: path(),
    PATH,
  }
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', publishing?.run ?? '']
  const { status, stdout } = spawnSync('bash', args, { env: environment, encoding: 'utf8' })
  return { status, stdout, calls: readFileSync(path('calls'), 'utf8').trim().split('\n') }
}

describe('every workflow', () => {
  it('has read access to the code only', () => {
    expect(workflows.map(({ file }) => file)).toEqual(['main.yml', 'publish.yml', 'rebuild.yml', 'test.yml'])
    for (const { file } of workflows)
      expect(read(file).match(/permissions:[^]*?\n\n/g)).toEqual(['permissions:\n  contents: read\n\n'])
  })

  it('pins actions to a full commit, each with its version in a comment', () => {
    const used = workflows.flatMap(({ file }) =>
      read(file)
        .split('\n')
        .filter((line) => /\buses: [^.]/.test(line)),
    )
    expect(used.length).toBeGreaterThan(5)
    for (const line of used) expect(line).toMatch(/uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('installs as the project does, once per job, before any step with a secret', () => {
    for (const { file } of workflows) expect(read(file)).not.toMatch(/^\s*(- )?run: npm (ci|install)/m)
    const install = findRun('node scripts/vitrina.mjs install')
    expect(install).toBeGreaterThan(findUse('actions/setup-node'))
    expect(install).toBeLessThan(steps.findIndex(holdsSecret))
  })

  it('interpolates nothing into a shell script, and passes secrets only to the step that needs them', () => {
    const all = workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap((one) => one.steps ?? []))
    for (const { run = '' } of all) expect(run).not.toContain('${{')
    expect(all.filter(holdsSecret)).toEqual([publishing])
  })
})

function holdsSecret(step: WorkflowStep): boolean {
  return JSON.stringify(step).includes('secrets.')
}

describe('the workflow that rebuilds', () => {
  it('is started by the coordinator, and by hand', () => {
    expect(Object.keys(rebuild.on)).toEqual(['workflow_dispatch'])
    expect(main.on.push?.branches).toEqual([GITHUB_WORKFLOW.branch])
  })

  it('runs one of the coordinator at a time; a run by hand cannot be cancelled by one', () => {
    const group = rebuild.concurrency?.group.replace(/^\$\{\{|\}\}$/g, '') ?? ''
    const find = (build: string): unknown => evaluate(group, { github: { run_id: '7' }, inputs: { build } })
    expect([find('build-1'), find('')]).toEqual(['vitrina-rebuild', '7'])
    expect(rebuild.concurrency?.['cancel-in-progress']).toBe(false)
  })

  it('hands each option of a run by hand on', () => {
    const { build, ...given } = rebuild.on.workflow_dispatch?.inputs ?? {}
    expect(build).toMatchObject({ type: 'string', default: '' })
    expect(Object.keys(given)).toEqual(['full', 'allow-shrink', 'fresh-state'])
    expect(given).toEqual(findWorkflow(ROOT, 'publish.yml').on.workflow_call?.inputs)
    expect(Object.keys(rebuild.jobs['publish']?.with ?? {})).toEqual(Object.keys(given))
  })
})

describe('the workflow of the main branch', () => {
  it('publishes what was tested, in turn with the rebuilds', () => {
    expect(main.on).toEqual({ push: { branches: ['main'] } })
    expect(main.jobs['test']?.uses).toBe('./.github/workflows/test.yml')
    expect(main.jobs['publish']).toMatchObject({
      needs: 'test',
      uses: rebuild.jobs['publish']?.uses,
      concurrency: { group: 'vitrina-rebuild', 'cancel-in-progress': false },
    })
  })
})

describe('the job that builds and publishes', () => {
  it('passes every setting that is not of another machine', () => {
    const names = Object.keys(SETTING_DEFAULTS).filter((name) => ELSEWHERE[name] === undefined)
    const passed = { ...job?.env, ...publishing?.env }
    const lacking = names.filter((name) => !/^\$\{\{ (vars|secrets)\.\w+/.test(passed[name] ?? ''))
    expect(lacking).toEqual([])
    for (const name of names) expect(passed[name]).toContain(`.${name} `)
  })

  it('saves state and site together, under a new key, only after publishing', () => {
    const [restore, save] = [findUse('actions/cache/restore'), findUse('actions/cache/save')]
    const publish = steps.findIndex((step) => step === publishing)
    expect([restore, publish, save, findRun('no-such-page')]).toEqual(
      [restore, publish, save, findRun('no-such-page')].toSorted((a, b) => a - b),
    )
    expect(restore).toBeGreaterThan(0)
    expect(steps.slice(publish).map((step) => step.if)).toEqual(steps.slice(publish).map(() => undefined))
    const [from, to] = [steps[restore]?.with, steps[save]?.with]
    expect(from).toMatchObject({ path: '.vitrina\ndist\n', ...to })
    expect(to?.['key']).toMatch(/run_id.*run_attempt/)
    expect(String(to?.['key'])).toContain(String(from?.['restore-keys']))
    expect(steps[restore]?.if).toBe('${{ !inputs.fresh-state }}')
  })

  it('continues with a warning after failed pages, and stops after any other error', () => {
    expect(runPublishing([EXIT.done])).toMatchObject({ status: 0, stdout: '' })
    const { status, stdout } = runPublishing([EXIT.pageFailed])
    expect([status, stdout]).toEqual([0, expect.stringContaining('::warning::')])
    const good: readonly number[] = [EXIT.done, EXIT.pageFailed, EXIT.busy]
    const others = [...Object.values(EXIT).filter((code) => !good.includes(code)), 127]
    for (const code of others) expect(runPublishing([code]).status, `exit code ${code}`).toBe(code)
  })

  it('waits while another builder is at work', () => {
    const { status, calls } = runPublishing([EXIT.busy, EXIT.busy, EXIT.done])
    expect([status, calls.length]).toEqual([0, 3])
  })

  it('asks the coordinator for a full read first, and accepts a smaller site when told', () => {
    const { calls } = runPublishing([0, 0], { FULL: 'true', ALLOW_SHRINK: 'true' })
    expect(calls).toEqual(['run -s notify -- --full', 'run -s rebuild -- --pending --deploy --allow-shrink'])
    expect(runPublishing([EXIT.source], { FULL: 'true' }).status).toBe(EXIT.source)
  })
})
