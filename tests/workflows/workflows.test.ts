/** The workflows at GitHub: what they may do, the settings that they pass, and the step that publishes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SETTING_LIST } from '../../src/builder/commands/settings.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { useTemporaryFolder } from '../support/run/temporary.ts'

/** Settings of other machines, and one that the step writes from `GOOGLE_CREDENTIALS`. */
const ELSEWHERE = ['FIRESTORE_EMULATOR_HOST', 'NOTICE_SECRET', 'GOOGLE_APPLICATION_CREDENTIALS']

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Workflow {
  readonly permissions: unknown
  readonly jobs: Readonly<Record<string, Step & { readonly steps?: readonly Step[] }>>
}

const FOLDER = join(ROOT, '.github/workflows')
const workflows = readdirSync(FOLDER).map(
  (file) => parse(readFileSync(join(FOLDER, file), 'utf8')) as Workflow,
)
const jobs = workflows.flatMap((workflow) => Object.values(workflow.jobs))
const steps = jobs.flatMap((job) => [job, ...(job.steps ?? [])])
const publishing = steps.find(({ run }) => run?.includes('vitrina.mjs deploy') === true)

it('workflows may only read the code, and run actions of a fixed commit', () => {
  for (const { permissions } of workflows) expect(permissions).toEqual({ contents: 'read' })
  const used = steps.flatMap(({ uses }) => uses ?? []).filter((uses) => !uses.startsWith('./'))
  expect(used.length).toBeGreaterThan(5)
  for (const uses of used) expect(uses).toMatch(/@[0-9a-f]{40}$/)
})

it('workflows insert nothing into a shell script, and pass secrets to one step only', () => {
  for (const { run = '' } of steps) expect(run).not.toContain('${{')
  const secret = jobs
    .flatMap((job) => job.steps ?? [])
    .filter((step) => JSON.stringify(step).includes('secrets.'))
  expect(secret).toHaveLength(1)
})

it('the job that publishes passes every setting that is not of another machine', () => {
  const passed: Readonly<Record<string, string>> = Object.assign({}, ...steps.map(({ env }) => env))
  const names = SETTING_LIST.map(({ name }) => name).filter((name) => !ELSEWHERE.includes(name))
  expect(names.filter((name) => !/^\$\{\{ (vars|secrets)\.\w+/.test(passed[name] ?? ''))).toEqual([])
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
      if (signal !== null && said.includes('begun')) step.kill(signal)
    })
    const [code] = (await once(step, 'close')) as [number | null]
    return { code, said, calls: readFileSync(calls, 'utf8').split('\n').filter(Boolean) }
  }

  it('warns of failed pages, and ends with the exit code of any other run', async () => {
    expect(await publish('exit 0')).toMatchObject({ code: 0, said: expect.not.stringContaining('warning') })
    expect(await publish('exit 6')).toMatchObject({ code: 0, said: expect.stringMatching(/^::warning::/m) })
    for (const code of [1, 2, 3, 4, 70])
      expect(await publish(`exit ${code}`)).toMatchObject({ code, calls: [expect.anything()] })
  })

  it('lets no text of a document be a command of the runner', async () => {
    const { said } = await publish('echo "::error::one"')
    expect(said).toMatch(/^::stop-commands::(\S+)\n::error::one\n::\1::\n$/)
  })

  it('tries again while another builder is at work, but not for ever', async () => {
    expect(await publish('if [ $n = 3 ]; then exit 0; else exit 5; fi')).toMatchObject({
      code: 0,
      calls: Array(3).fill('scripts/vitrina.mjs deploy'),
    })
    const { code, calls } = await publish('exit 5')
    expect([code, calls.length]).toEqual([5, 30])
  })

  it('asks for a full read first, and accepts a smaller site with the option', async () => {
    const options = { FULL: 'true', OPTIONS: '--allow-shrink' }
    const notice = 'scripts/vitrina.mjs notify --full'
    expect((await publish('exit 0', options)).calls).toEqual([
      notice,
      'scripts/vitrina.mjs deploy --allow-shrink',
    ])
    expect(await publish('exit 3', options)).toMatchObject({ code: 3, calls: [notice] })
  })

  it('hands credentials on in a file of this user only, and leaves none', async () => {
    const show =
      'f=$GOOGLE_APPLICATION_CREDENTIALS; cat $f; ls -l $f | cut -c1-10; echo "$GOOGLE_CREDENTIALS"; exit 3'
    const { said } = await publish(show, { GOOGLE_CREDENTIALS: '{"key":1}' })
    expect(said).toContain('{"key":1}\n-rw-------\n\n')
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
