/** The workflow that rebuilds and publishes: its triggers, permissions and steps. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { GITHUB_EVENT } from '../../src/edge/coordinator/send-dispatch.ts'
import { ROOT } from '../support/rebuild.ts'
import { useTemporaryFolder } from '../support/temporary.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly permissions?: unknown
  readonly env?: Readonly<Record<string, string>>
  readonly 'timeout-minutes': number
  readonly steps: readonly Step[]
}

const text = readFileSync(join(ROOT, '.github/workflows/rebuild.yml'), 'utf8')
const workflow = parse(text)
const job: Job = workflow.jobs.rebuild
const { steps } = job

const path = useTemporaryFolder()

/** Runs the rebuild step with an npm that exits with this code. */
function runRebuildStep(exit: number): { readonly status: number | null; readonly stdout: string } {
  writeFileSync(path('npm'), `#!/bin/sh\nexit ${exit}\n`, { mode: 0o755 })
  const script = steps[findRun('rebuild -- --pending --deploy')]?.run ?? ''
  const env = { PATH: `${path()}${delimiter}${process.env['PATH']}`, RUNNER_TEMP: path(), FULL: '' }
  return spawnSync('bash', ['-e', '-c', script], { env, encoding: 'utf8' })
}

const findUse = (name: string): number => steps.findIndex(({ uses }) => uses?.startsWith(`${name}@`) === true)
const findRun = (words: string): number => steps.findIndex(({ run }) => run?.includes(words) === true)

describe('the workflow', () => {
  it('is started by the coordinator, and by hand', () => {
    expect(workflow.on.repository_dispatch.types).toEqual([GITHUB_EVENT])
    expect(Object.keys(workflow.on).toSorted()).toEqual(['repository_dispatch', 'workflow_dispatch'])
  })

  it('runs one at a time, and is never cancelled by another', () => {
    expect(workflow.concurrency).toEqual({ group: 'vitrina-rebuild', 'cancel-in-progress': false })
    expect(text.match(/concurrency:/g)).toHaveLength(1)
  })

  it('has read access to the code only, and a timeout', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(job.permissions).toBeUndefined()
    expect(job['timeout-minutes']).toBeLessThanOrEqual(60)
    expect(steps[findUse('actions/checkout')]?.with).toMatchObject({ 'persist-credentials': false })
  })

  it('pins actions to a full commit, each with its version in a comment', () => {
    const used = text.split('\n').filter((line) => /\buses:/.test(line))
    expect(used.length).toBeGreaterThan(3)
    for (const line of used) expect(line).toMatch(/uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('saves state and site together, only after publishing', () => {
    const [restore, save] = [findUse('actions/cache/restore'), findUse('actions/cache/save')]
    const publish = findRun('rebuild -- --pending --deploy')
    expect([restore, publish, save].every((index) => index >= 0)).toBe(true)
    expect(restore).toBeLessThan(publish)
    expect(publish).toBeLessThan(save)
    expect(findRun('no-such-page')).toBeGreaterThan(publish)
    expect(steps.map((step) => step.if)).toEqual(steps.map(() => undefined))
    const paths = [restore, save].map((index) => steps[index]?.with?.['path'])
    expect(paths).toEqual(['.vitrina\ndist\n', '.vitrina\ndist\n'])
  })

  it('saves under a new key each time, and restores the newest', () => {
    const [restore, save] = ['restore', 'save'].map((what) => steps[findUse(`actions/cache/${what}`)]?.with)
    expect(save?.['key']).toBe(restore?.['key'])
    expect(save?.['key']).toMatch(/run_id.*run_attempt/)
    expect(String(save?.['key'])).toContain(String(restore?.['restore-keys']))
  })

  it('passes secrets only to the step that needs them, and interpolates none into a shell script', () => {
    const holders = steps.filter(({ env = {} }) => JSON.stringify(env).includes('secrets.'))
    expect(holders).toHaveLength(1)
    expect(JSON.stringify(job.env)).not.toContain('secrets.')
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })

  it('continues with a warning after failed pages, and stops after any other error', () => {
    expect(runRebuildStep(EXIT.done)).toMatchObject({ status: 0, stdout: '' })
    const { status, stdout } = runRebuildStep(EXIT.pageFailed)
    expect([status, stdout]).toEqual([0, expect.stringContaining('::warning::')])
    const others = Object.values(EXIT).filter((code) => code !== EXIT.done && code !== EXIT.pageFailed)
    for (const code of others) expect(runRebuildStep(code).status, `exit code ${code}`).not.toBe(0)
  })
})
