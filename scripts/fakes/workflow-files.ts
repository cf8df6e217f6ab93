/** The workflows of a checkout, as GitHub reads them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export interface WorkflowStep {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, unknown>>
}

export interface WorkflowJob {
  readonly needs?: string | readonly string[]
  readonly if?: string
  /** Another workflow of the repository, in the place of steps. */
  readonly uses?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
  readonly concurrency?: Concurrency
  readonly steps?: readonly WorkflowStep[]
}

interface Concurrency {
  readonly group: string
  readonly 'cancel-in-progress': boolean
}

interface WorkflowInput {
  readonly type: string
  readonly default?: string | boolean
}

export interface Workflow {
  /** Relative to `.github/workflows`. */
  readonly file: string
  readonly on: {
    readonly workflow_dispatch?: { readonly inputs?: Readonly<Record<string, WorkflowInput>> } | null
    readonly workflow_call?: { readonly inputs?: Readonly<Record<string, WorkflowInput>> } | null
    readonly push?: { readonly branches?: readonly string[] } | null
  }
  readonly concurrency?: Concurrency
  readonly jobs: Readonly<Record<string, WorkflowJob>>
}

export function readWorkflows(checkout: string): readonly Workflow[] {
  const folder = join(checkout, '.github/workflows')
  return readdirSync(folder)
    .toSorted()
    .map((file) => ({ ...(parse(readFileSync(join(folder, file), 'utf8')) as Workflow), file }))
}

export function findWorkflow(checkout: string, file: string): Workflow {
  const found = readWorkflows(checkout).find((one) => one.file === file)
  if (found === undefined) throw new Error(`there is no workflow ${file}`)
  return found
}
