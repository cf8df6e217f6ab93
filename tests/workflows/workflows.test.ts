/** The workflows at GitHub: their triggers, permissions, settings and steps. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SETTING_DEFAULTS } from '../../src/builder/commands/settings.ts'
import { GITHUB_WORKFLOW } from '../../src/edge/coordinator/dispatch/send-dispatch.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { useTemporaryFolder } from '../support/run/temporary.ts'

/** Settings of other machines. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  DISPATCH_SECRET: 'of a builder that listens',
  FIRESTORE_EMULATOR_HOST: 'of a local emulator',
  NOTICE_SECRET: 'of those who send notices; the secret of builders opens their route too',
  NOTICE_SECRET_PREVIOUS: 'the same',
  GOOGLE_APPLICATION_CREDENTIALS: 'written from GOOGLE_CREDENTIALS by the step',
}

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job extends Step {
  readonly concurrency?: object
  readonly steps?: readonly Step[]
}

interface Workflow {
  readonly on: {
    readonly workflow_dispatch?: { readonly inputs: Readonly<Record<string, object>> }
    readonly workflow_call?: { readonly inputs?: Readonly<Record<string, object>> } | null
    readonly push?: { readonly branches?: readonly string[] }
  }
  readonly concurrency?: object
  readonly jobs: Readonly<Record<string, Job>>
}

const FOLDER = join(ROOT, '.github/workflows')
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')
const open = (file: string): Workflow => parse(read(file)) as Workflow
const files = readdirSync(FOLDER).toSorted()
const rebuild = open(GITHUB_WORKFLOW.file)
const main = open('main.yml')
const called = open('publish.yml')
const job = called.jobs['publish']
const steps = job?.steps ?? []

const findUse = (name: string): number => steps.findIndex(({ uses }) => uses?.startsWith(`${name}@`) === true)
const findRun = (words: string): number => steps.findIndex(({ run }) => run?.includes(words) === true)
const publishing = steps[findRun('vitrina.mjs rebuild --pending --deploy')]

describe('every workflow', () => {
  it('has read access to the code only', () => {
    expect(files).toEqual(['main.yml', 'publish.yml', 'rebuild.yml', 'test.yml'])
    for (const file of files)
      expect(read(file).match(/permissions:[^]*?\n\n/g)).toEqual(['permissions:\n  contents: read\n\n'])
  })

  it('pins actions to a full commit, each with its version in a comment', () => {
    const used = files.flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => /\buses: [^.]/.test(line)),
    )
    expect(used.length).toBeGreaterThan(5)
    for (const line of used) expect(line).toMatch(/uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('installs as the project does, once per job, before any step with a secret', () => {
    for (const file of files) expect(read(file)).not.toMatch(/^\s*(- )?run: npm (ci|install)/m)
    const install = findRun('node scripts/vitrina.mjs install')
    expect(install).toBeGreaterThan(findUse('actions/setup-node'))
    expect(install).toBeLessThan(steps.findIndex(holdsSecret))
  })

  it('interpolates nothing into a shell script, and passes secrets only to the step that needs them', () => {
    const all = files.flatMap((file) => Object.values(open(file).jobs).flatMap((one) => one.steps ?? []))
    for (const { run = '' } of all) expect(run).not.toContain('${{')
    expect(all.filter(holdsSecret)).toEqual([publishing])
  })
})

function holdsSecret(step: Step): boolean {
  return JSON.stringify(step).includes('secrets.')
}

describe('the workflow that rebuilds', () => {
  it('is started by the coordinator, and by hand', () => {
    expect(Object.keys(rebuild.on)).toEqual(['workflow_dispatch'])
    expect(main.on.push?.branches).toEqual([GITHUB_WORKFLOW.branch])
  })

  it('runs one of the coordinator at a time; a run by hand cannot be cancelled by one', () => {
    expect(rebuild.concurrency).toEqual({
      group: "${{ inputs.build == '' && github.run_id || 'vitrina-rebuild' }}",
      'cancel-in-progress': false,
    })
  })

  it('hands each option of a run by hand on', () => {
    const { build, ...given } = rebuild.on.workflow_dispatch?.inputs ?? {}
    expect(build).toMatchObject({ type: 'string', default: '' })
    expect(Object.keys(given)).toEqual(['full', 'allow-shrink', 'fresh-state'])
    expect(given).toEqual(called.on.workflow_call?.inputs)
    expect(Object.keys(rebuild.jobs['publish']?.with ?? {})).toEqual(Object.keys(given))
    expect(publishing?.env).toMatchObject({
      FULL: '${{ inputs.full }}',
      OPTIONS: "${{ inputs.allow-shrink && '--allow-shrink' || '' }}",
    })
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

  it('ends the tests of older code, which could otherwise go live after the newer code', () => {
    expect(main.jobs['test']?.concurrency).toEqual({
      group: 'vitrina-main-test',
      'cancel-in-progress': true,
    })
  })
})

describe('the step that builds and publishes', () => {
  const folder = useTemporaryFolder()

  /**
   * Runs the step's script with a stand-in for Node, which notes its arguments and then runs `child`, a script that may
   * use the number of the call, `$n`.
   */
  async function publish(
    child: string,
    environment: Readonly<Record<string, string>> = {},
    signal: NodeJS.Signals | null = null,
  ): Promise<{ code: number | null; said: string; calls: readonly string[] }> {
    const [calls, bin] = [folder('calls'), folder('.')]
    writeFileSync(calls, '')
    const commands = { node: `echo "$@" >> '${calls}'; n=$(wc -l < '${calls}'); ${child}`, sleep: '' }
    for (const [name, script] of Object.entries(commands)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
      chmodSync(join(bin, name), 0o755)
    }
    const step = spawn('bash', ['-e', '-c', publishing?.run ?? ''], {
      env: { PATH: `${bin}:${process.env['PATH']}`, RUNNER_TEMP: bin, FULL: 'false', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    step.stdout.on('data', (text) => {
      said += String(text)
      if (signal !== null) step.kill(signal)
    })
    const [code] = (await once(step, 'close')) as [number | null]
    return { code, said, calls: readFileSync(calls, 'utf8').split('\n').filter(Boolean) }
  }

  it('warns of failed pages, and ends with the exit code of any other run', async () => {
    expect(await publish('exit 0')).toMatchObject({ code: 0, said: '' })
    expect(await publish('exit 6')).toMatchObject({ code: 0, said: expect.stringMatching(/^::warning::/) })
    for (const code of [1, 2, 3, 4, 70])
      expect(await publish(`exit ${code}`)).toMatchObject({ code, calls: [expect.anything()] })
  })

  it('tries again while another builder is at work, but not for ever', async () => {
    expect(await publish('if [ $n = 3 ]; then exit 0; else exit 5; fi')).toMatchObject({
      code: 0,
      calls: Array(3).fill('scripts/vitrina.mjs rebuild --pending --deploy'),
    })
    const { code, calls } = await publish('exit 5')
    expect([code, calls.length]).toEqual([5, 30])
  })

  it('asks for a full read first, and accepts a smaller site with the option', async () => {
    const options = { FULL: 'true', OPTIONS: '--allow-shrink' }
    const notice = 'scripts/vitrina.mjs notify --full'
    expect((await publish('exit 0', options)).calls).toEqual([
      notice,
      'scripts/vitrina.mjs rebuild --pending --deploy --allow-shrink',
    ])
    expect(await publish('exit 3', options)).toMatchObject({ code: 3, calls: [notice] })
  })

  it('hands credentials on in a file of this user only, and leaves none', async () => {
    const show =
      'f=$GOOGLE_APPLICATION_CREDENTIALS; cat $f; ls -l $f | cut -c1-10; echo "$GOOGLE_CREDENTIALS"; exit 3'
    const { said } = await publish(show, { GOOGLE_CREDENTIALS: '{"key":1}' })
    expect(said).toBe('{"key":1}\n-rw-------\n\n')
    expect(existsSync(folder('google.json'))).toBe(false)
  })

  it('ends the run when the job is cancelled, and begins no other', async () => {
    const child = `trap 'echo ended; exit 5' TERM; echo begun; while :; do /bin/sleep 0.01; done`
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      expect(await publish(child, {}, signal)).toMatchObject({
        code: 70,
        said: expect.stringContaining('ended'),
        calls: [expect.anything()],
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

  it('repeats each look at the live site that meets a failure of the network', () => {
    const lines = steps.flatMap(({ run = '' }) => run.split('\n').filter((line) => line.includes('curl ')))
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).toContain(' --retry 5 --retry-all-errors ')
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
})
