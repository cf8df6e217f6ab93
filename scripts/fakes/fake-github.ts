/** Plays the part of GitHub that runs workflows: takes dispatches, and runs one workflow after another. */
import { readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { parse } from 'yaml'
import { GITHUB_WORKFLOW } from '../../src/edge/coordinator/dispatch/send-dispatch.ts'
import { LocalServer } from '../local/local-server.ts'
import type { Inputs, RunnerOptions, WorkflowStep } from './workflow-run.ts'
import { runWorkflow, SAVED } from './workflow-run.ts'

export interface WorkflowRun {
  readonly workflow: string
  readonly steps: readonly WorkflowStep[]
  /** Time at which the run was requested, in RFC 3339. `begun` is the time at which the run started. */
  readonly created: string
  readonly begun: string
}

const RUNS = /^GET \/repos\/[\w.-]+\/[\w.-]+\/actions\/workflows\/([\w.-]+)\/runs\b/

const DISPATCHES = /^POST \/repos\/[\w.-]+\/[\w.-]+\/actions\/workflows\/([\w.-]+)\/dispatches$/

export class FakeGitHub {
  readonly #server = new LocalServer((request, response) => this.#answer(request, response))
  readonly #options: RunnerOptions
  readonly #token: string
  readonly #work: typeof runWorkflow
  readonly #end = new AbortController()
  #last: Promise<unknown> = Promise.resolve()
  /** The pending run of the concurrency group; `null` if none is pending. */
  #waiting: { isCancelled: boolean } | null = null
  /** Finished runs, oldest first. */
  readonly runs: WorkflowRun[] = []
  /** Increases whenever a run makes progress. */
  moves = 0

  /** Refuses calls without `token`. `work` runs the steps of a workflow. */
  constructor(options: RunnerOptions, token: string, work = runWorkflow) {
    this.#options = options
    this.#token = token
    this.#work = work
  }

  async start(): Promise<void> {
    await this.#server.start()
  }

  /** Ends the current run, and cancels all others. */
  async stop(): Promise<void> {
    this.#end.abort()
    await this.rest()
    this.#server.close()
  }

  get origin(): string {
    return this.#server.origin
  }

  /** Resolves when no run is in progress or pending. */
  async rest(): Promise<void> {
    for (let seen = null; seen !== this.#last;) await (seen = this.#last)
  }

  /** Deletes the builder's saved state, as GitHub deletes caches when the space for caches is full. */
  evictState(): void {
    rmSync(join(this.#options.folder, SAVED), { recursive: true, force: true })
  }

  /** Starts a run as a person does under "Actions" or with `gh workflow run`. */
  startByHand(inputs: Inputs = {}): Promise<WorkflowRun> {
    return this.#run(GITHUB_WORKFLOW.file, inputs, {})
  }

  /**
   * Publishes the main branch, as `main.yml` does after its tests. Returns no run if the variable `SITE_URL` is not
   * set.
   */
  async push(): Promise<readonly WorkflowRun[]> {
    return 'SITE_URL' in this.#options.repository.variables
      ? [await this.#run('main.yml', {}, this.#wait())]
      : []
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, file] = DISPATCHES.exec(`${request.method} ${request.url}`) ?? []
    if (request.headers.authorization !== `Bearer ${this.#token}`)
      return void response.writeHead(401).end('{}')
    const [, listed] = RUNS.exec(`${request.method} ${request.url}`) ?? []
    if (listed !== undefined) return void response.end(JSON.stringify(this.#listRuns(listed)))
    if (file !== GITHUB_WORKFLOW.file) return void response.writeHead(404).end('{}')
    const { ref, inputs = {} } = (await json(request)) as { ref: string; inputs?: Inputs }
    const isValid = ref === GITHUB_WORKFLOW.branch && this.#takesInputs(inputs)
    response.writeHead(isValid ? 204 : 422).end(isValid ? undefined : '{}')
    if (isValid) void this.#run(file, inputs, this.#wait())
  }

  #listRuns(file: string): object {
    const runs = this.runs.filter(({ workflow }) => workflow === file)
    return {
      total_count: runs.length,
      workflow_runs: runs.map(({ created, begun }) => ({ created_at: created, run_started_at: begun })),
    }
  }

  /** Returns whether the workflow declares all of these inputs. GitHub refuses a dispatch with undeclared inputs. */
  #takesInputs(inputs: Inputs): boolean {
    const file = join(this.#options.repository.folder, '.github/workflows', GITHUB_WORKFLOW.file)
    const { on } = parse(readFileSync(file, 'utf8')) as { on: { workflow_dispatch: { inputs: object } } }
    return Object.keys(inputs).every((name) => Object.hasOwn(on.workflow_dispatch.inputs, name))
  }

  /** Adds a pending run to the concurrency group and returns it. Cancels the previous pending run, as GitHub does. */
  #wait(): { isCancelled: boolean } {
    if (this.#waiting !== null) this.#waiting.isCancelled = true
    return (this.#waiting = { isCancelled: false })
  }

  /** Runs a workflow after all earlier runs have ended. A run that was cancelled while it was pending has no steps. */
  #run(workflow: string, inputs: Inputs, place: { isCancelled?: boolean }): Promise<WorkflowRun> {
    const created = new Date().toISOString()
    const run = this.#last.then(async () => {
      const { signal } = this.#end
      const head = { workflow, created, begun: new Date().toISOString() }
      if (this.#waiting === place) this.#waiting = null
      if (signal.aborted || place.isCancelled === true) return { ...head, steps: [] }
      const onMove = (): void => void (this.moves += 1)
      const done = { ...head, steps: await this.#work(inputs, { ...this.#options, end: signal, onMove }) }
      this.runs.push(done)
      return done
    })
    this.#last = run.catch(() => {})
    return run
  }
}
