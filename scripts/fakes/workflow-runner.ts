/** Runs a workflow's steps one by one, as a runner of GitHub's does, each job in a fresh checkout. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runGroup } from './run-group.ts'
import { useAction } from './workflow-actions.ts'
import type { Contexts } from './workflow-expression.ts'
import { evaluate, fillIn, fillValue, isTrue } from './workflow-expression.ts'
import type { Workflow, WorkflowJob, WorkflowStep } from './workflow-files.ts'
import { findWorkflow } from './workflow-files.ts'

export interface Repository {
  /** What is on the main branch. */
  readonly folder: string
  readonly secrets: Readonly<Record<string, string>>
  readonly variables: Readonly<Record<string, string>>
}

export interface RunnerOptions {
  readonly repository: Repository
  /** Writes a fresh checkout of the repository into a new folder. */
  readonly checkOut: (folder: string) => void
  /** Of the machine, before any step: PATH with the runner's Node and npm. */
  readonly environment: Readonly<Record<string, string>>
  /** Checkouts and saved caches. */
  readonly folder: string
  /** Steps with one of these lines count as done without being run. */
  readonly skipped?: readonly string[]
  /** Ends the step that is under way, which then counts as failed. */
  readonly end?: AbortSignal
  /** Called when a step begins, and when it writes something. */
  readonly onMove?: () => void
}

export interface RunStep {
  readonly name: string
  readonly isDone: boolean
  readonly said: string
  readonly ms: number
}

interface Run {
  readonly options: RunnerOptions
  readonly contexts: Contexts
  readonly steps: RunStep[]
}

interface Place {
  readonly workspace: string
  readonly temporary: string
  readonly environment: Readonly<Record<string, string>>
}

let runs = 0

/** Runs the jobs in the order of the file, which names a job before those that need it. Stops after a failed one. */
export async function runWorkflow(
  { jobs }: Workflow,
  github: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, unknown>>,
  options: RunnerOptions,
): Promise<readonly RunStep[]> {
  const id = {
    run_id: String((runs += 1)),
    run_attempt: '1',
    repository: 'owner/name',
    ref: 'refs/heads/main',
  }
  const { secrets, variables: vars } = options.repository
  const contexts = { github: { ...id, actor: 'ana', ...github }, inputs, vars, secrets }
  const steps: RunStep[] = []
  for (const job of Object.values(jobs)) {
    await runJob(job, { options, contexts, steps })
    if (steps.some(({ isDone }) => !isDone)) break
  }
  return steps
}

async function runJob(job: WorkflowJob, run: Run): Promise<void> {
  const { options, contexts, steps } = run
  if (job.if !== undefined && !isTrue(evaluate(trimExpression(job.if), contexts))) return
  if (job.uses !== undefined) {
    const called = findWorkflow(options.repository.folder, job.uses.replace('./.github/workflows/', ''))
    const given = Object.entries(job.with ?? {}).map(([name, value]) => [name, fillValue(value, contexts)])
    const inputs = { ...readDefaults(called), ...Object.fromEntries(given) }
    for (const one of Object.values(called.jobs))
      await runJob(one, { ...run, contexts: { ...contexts, inputs } })
    return
  }
  mkdirSync(options.folder, { recursive: true })
  const home = mkdtempSync(join(options.folder, 'job-'))
  const place = {
    workspace: join(home, 'work'),
    temporary: join(home, 'temp'),
    environment: { ...options.environment, ...fillAll(job.env ?? {}, contexts) },
  }
  for (const folder of [place.workspace, place.temporary]) mkdirSync(folder)
  try {
    let isWell = true
    for (const step of job.steps ?? []) {
      if (!isWanted(step.if ?? 'success()', isWell, run.contexts)) continue
      const done = await runStep(step, place, run)
      steps.push(done)
      isWell &&= done.isDone
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function runStep(step: WorkflowStep, place: Place, run: Run): Promise<RunStep> {
  const name = step.name ?? step.uses?.replace(/@.*/, '') ?? step.run?.split('\n')[0] ?? ''
  const start = performance.now()
  run.options.onMove?.()
  const done = await performStep(step, place, run).catch((error: unknown) => ({
    isDone: false,
    said: error instanceof Error ? error.message : String(error),
  }))
  return { name, ...done, ms: performance.now() - start }
}

async function performStep(
  { uses, run: script = '', env = {}, with: inputs = {} }: WorkflowStep,
  place: Place,
  { contexts, options }: Run,
): Promise<Pick<RunStep, 'isDone' | 'said'>> {
  if (uses !== undefined)
    return { isDone: true, said: useAction(uses, fillAll(inputs, contexts), place.workspace, options) }
  if (options.skipped?.includes(script.trim()) === true) return { isDone: true, said: 'skipped' }
  const environment = { ...place.environment, ...fillAll(env, contexts) }
  const { code, said } = await runScript(fillIn(script, contexts), { place, environment, options })
  return { isDone: code === 0, said }
}

interface ScriptSetup {
  readonly place: Place
  readonly environment: Readonly<Record<string, string>>
  readonly options: RunnerOptions
}

function runScript(
  script: string,
  { place: { workspace, temporary }, environment, options: { end, onMove } }: ScriptSetup,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const summary = join(temporary, 'summary.md')
  const variables = {
    ...environment,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: workspace,
    GITHUB_STEP_SUMMARY: summary,
    RUNNER_TEMP: temporary,
  }
  return runGroup(script, {
    folder: workspace,
    environment: variables,
    flags: ['--noprofile', '--norc', '-eo', 'pipefail'],
    ...(end !== undefined && { end }),
    ...(onMove !== undefined && { onText: onMove }),
  })
}

function readDefaults({ on }: Workflow): Record<string, unknown> {
  const inputs = Object.entries(on.workflow_call?.inputs ?? on.workflow_dispatch?.inputs ?? {})
  return Object.fromEntries(inputs.map(([name, { default: value }]) => [name, value ?? '']))
}

function fillAll(entries: Readonly<Record<string, unknown>>, contexts: Contexts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).map(([name, value]) => [name, fillIn(String(value), contexts)]),
  )
}

/** A condition without a status function holds only while all steps before it succeeded. */
function isWanted(condition: string, isWell: boolean, contexts: Contexts): boolean {
  const status = { success: isWell, failure: !isWell, always: true, cancelled: false }
  const value = evaluate(trimExpression(condition), { ...contexts, status })
  return isTrue(value) && (isWell || /(always|failure)\(\)/.test(condition))
}

function trimExpression(text: string): string {
  return text.replace(/^\$\{\{(.*)\}\}$/s, '$1')
}
