/** The workflow that rebuilds and publishes: what starts it, what it may do, and in which order. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { GITHUB_EVENT } from '../../src/edge/coordinator/send-dispatch.ts'
import { ROOT } from '../support/rebuild.ts'
import { useTemporaryFolder } from '../support/temporary.ts'

const path = useTemporaryFolder()

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

const findUse = (name: string): number => steps.findIndex(({ uses }) => uses?.startsWith(`${name}@`) === true)
const findRun = (words: string): number => steps.findIndex(({ run }) => run?.includes(words) === true)

describe('the workflow', () => {
  it('is started by the coordinator, and by hand', () => {
    expect(workflow.on.repository_dispatch.types).toEqual([GITHUB_EVENT])
    expect(Object.keys(workflow.on).toSorted()).toEqual(['repository_dispatch', 'workflow_dispatch'])
  })

  it('runs one at a time, and is never cut off by another', () => {
    expect(workflow.concurrency).toEqual({ group: 'vitrina-rebuild', 'cancel-in-progress': false })
    expect(text.match(/concurrency:/g)).toHaveLength(1)
  })

  it('may read the code and nothing else, for a limited time', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(job.permissions).toBeUndefined()
    expect(job['timeout-minutes']).toBeLessThanOrEqual(60)
    expect(steps[findUse('actions/checkout')]?.with).toMatchObject({ 'persist-credentials': false })
  })

  it('uses actions by their full commit, each with its version beside it', () => {
    const used = text.split('\n').filter((line) => /\buses:/.test(line))
    expect(used.length).toBeGreaterThan(3)
    for (const line of used) expect(line).toMatch(/uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('saves state and site together, only after they were published', () => {
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

  it('saves under a new name each time, and restores the newest', () => {
    const [restore, save] = ['restore', 'save'].map((what) => steps[findUse(`actions/cache/${what}`)]?.with)
    expect(save?.['key']).toBe(restore?.['key'])
    expect(save?.['key']).toMatch(/run_id.*run_attempt/)
    expect(String(save?.['key'])).toContain(String(restore?.['restore-keys']))
  })

  it.each([
    [0, 0],
    [6, 0],
    [1, 1],
    [3, 3],
    [70, 70],
  ])(
    'takes exit code %i of the rebuild for %i: only a page that failed is no reason to stop',
    (code, ended) => {
      const script = steps[findRun('rebuild -- --pending --deploy')]?.run ?? ''
      const { status, stdout } = spawnSync('bash', ['-e', '-c', `npm() { return ${code}; }\n${script}`], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], RUNNER_TEMP: path(), FULL: '', GOOGLE_CREDENTIALS: 'x' },
      })
      expect([status, stdout.includes('::warning::')]).toEqual([ended, code === 6])
      expect(readdirSync(path())).toEqual([])
    },
  )

  it('gives secrets to the one step that needs them, and none to a shell as text', () => {
    const holders = steps.filter(({ env = {} }) => JSON.stringify(env).includes('secrets.'))
    expect(holders).toHaveLength(1)
    expect(JSON.stringify(job.env)).not.toContain('secrets.')
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })
})
