/** Runs the steps of the project's publish workflow in a fresh checkout, with the state that the previous run saved. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runGroup } from './run-group.ts'

export interface Repository {
  /** Folder with the files of the main branch. */
  readonly folder: string
  readonly secrets: Readonly<Record<string, string>>
  readonly variables: Readonly<Record<string, string>>
}

export interface RunnerOptions {
  readonly repository: Repository
  /** Writes a fresh checkout of the repository into a new folder. */
  readonly checkOut: (folder: string) => void
  /** Environment variables of the machine, such as PATH with the runner's Node and npm. */
  readonly environment: Readonly<Record<string, string>>
  /** Folder for checkouts and the saved state. */
  readonly folder: string
  /** Aborting it ends the current step, which then counts as failed. */
  readonly end?: AbortSignal
  /** Called when a step begins and whenever the step writes output. */
  readonly onMove?: () => void
}

export interface WorkflowStep {
  readonly name: string
  readonly isDone: boolean
  readonly said: string
  readonly ms: number
}

export type Inputs = Readonly<Record<string, unknown>>

/** The folders that `publish.yml` restores and saves. */
const STATE = ['.vitrina', 'dist']
/** Name of the folder in which the state is saved. */
export const SAVED = 'saved'

/** Runs the steps of `.github/workflows/publish.yml`, up to the first that fails. */
export async function runWorkflow(inputs: Inputs, options: RunnerOptions): Promise<readonly WorkflowStep[]> {
  mkdirSync(options.folder, { recursive: true })
  const home = mkdtempSync(join(options.folder, 'job-'))
  const workspace = join(home, 'work')
  mkdirSync(workspace)
  const { secrets, variables } = options.repository
  const settings = { CATALOGUE_SOURCE: 'firestore', ...variables, ...secrets }
  const flags = ['full', 'allow-shrink'].filter((name) => inputs[name] === true).map((name) => `--${name}`)
  const vitrina = (line: string, environment: Readonly<Record<string, string>> = {}): Promise<Said> =>
    runLine(`node scripts/vitrina.mjs ${line}`, workspace, environment, options)
  const saved = join(options.folder, SAVED)
  const steps: WorkflowStep[] = []
  const step = async (name: string, work: () => Promise<Said> | undefined): Promise<boolean> => {
    const start = performance.now()
    options.onMove?.()
    const { code, said } = (await work()) ?? DONE
    steps.push({ name, isDone: code === 0, said, ms: performance.now() - start })
    return code === 0
  }
  try {
    options.checkOut(workspace)
    const isPublished =
      (await step('Install', () => vitrina('install'))) &&
      (await step('Restore the state', () => {
        if (inputs['fresh-state'] !== true) copyState(saved, workspace)
      })) &&
      (await step('Rebuild, verify and publish', () =>
        vitrina(['rebuild --pending --deploy', ...flags].join(' '), settings),
      ))
    if (isPublished) await step('Save the state', () => copyState(workspace, saved))
    return steps
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

interface Said {
  readonly code: number | null
  readonly said: string
}

/** The result of a step that runs no program. */
const DONE: Said = { code: 0, said: '' }

function copyState(from: string, to: string): undefined {
  for (const part of STATE) {
    rmSync(join(to, part), { recursive: true, force: true })
    if (existsSync(join(from, part))) cpSync(join(from, part), join(to, part), { recursive: true })
  }
}

function runLine(
  line: string,
  workspace: string,
  environment: Readonly<Record<string, string>>,
  { environment: machine, end, onMove }: RunnerOptions,
): Promise<Said> {
  return runGroup(line, {
    folder: workspace,
    environment: { ...machine, ...environment, CI: 'true', GITHUB_ACTIONS: 'true' },
    flags: ['--noprofile', '--norc', '-eo', 'pipefail'],
    ...(end !== undefined && { end }),
    ...(onMove !== undefined && { onText: onMove }),
  })
}
