/** The part of GitHub that starts the project's workflows: the call for a dispatch, and runs one after another. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { createLocalServer, formatOrigin } from './local-server.ts'
import type { Workflow } from './workflow-files.ts'
import { findWorkflow, readWorkflows } from './workflow-files.ts'
import type { RunnerOptions, RunStep } from './workflow-runner.ts'
import { runWorkflow } from './workflow-runner.ts'

export interface WorkflowRun {
  readonly workflow: string
  readonly steps: readonly RunStep[]
}

const DISPATCHES = /^POST \/repos\/[\w.-]+\/[\w.-]+\/actions\/workflows\/([\w.-]+)\/dispatches$/

type Inputs = Readonly<Record<string, unknown>>

export class FakeGitHub {
  readonly #server = createLocalServer((request, response) => this.#answer(request, response))
  readonly #options: RunnerOptions
  readonly #token: string
  readonly #end = new AbortController()
  #last: Promise<unknown> = Promise.resolve()
  /** Finished runs. */
  readonly runs: WorkflowRun[] = []
  /** Grows while a run gets on. */
  moves = 0

  /** `token` may start workflows. */
  constructor(options: RunnerOptions, token: string) {
    this.#options = options
    this.#token = token
  }

  async start(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
  }

  /** Ends the run that is under way, and those that wait. */
  async stop(): Promise<void> {
    this.#end.abort()
    await this.rest()
    this.#server.close()
    this.#server.closeAllConnections()
  }

  get origin(): string {
    return formatOrigin(this.#server)
  }

  /** Settles when no run is under way and none waits. */
  async rest(): Promise<void> {
    for (let seen = null; seen !== this.#last;) await (seen = this.#last)
  }

  /** As somebody does under "Actions", or with `gh workflow run`. */
  startByHand(file: string, inputs: Inputs = {}): Promise<WorkflowRun> {
    return this.#dispatch(findWorkflow(this.#options.repository.folder, file), inputs)
  }

  /** Starts the workflows of a push to the main branch. */
  async push(): Promise<readonly WorkflowRun[]> {
    const started = readWorkflows(this.#options.repository.folder).filter(({ on }) =>
      on.push?.branches?.includes('main'),
    )
    return Promise.all(started.map((workflow) => this.#run(workflow, { event_name: 'push' }, {})))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, file] = DISPATCHES.exec(`${request.method} ${request.url}`) ?? []
    if (request.headers.authorization !== `Bearer ${this.#token}`)
      return void response.writeHead(401).end('{}')
    const workflow = readWorkflows(this.#options.repository.folder).find((one) => one.file === file)
    if (workflow === undefined) return void response.writeHead(404).end('{}')
    const { ref, inputs = {} } = (await json(request)) as { ref: string; inputs?: Inputs }
    const isValid = ref === 'main' && takesInputs(workflow, inputs)
    response.writeHead(isValid ? 204 : 422).end(isValid ? undefined : '{}')
    if (isValid) void this.#dispatch(workflow, inputs)
  }

  #dispatch(workflow: Workflow, inputs: Inputs): Promise<WorkflowRun> {
    const defaults = Object.entries(workflow.on.workflow_dispatch?.inputs ?? {})
    const all = defaults.map(([name, { default: value }]) => [name, inputs[name] ?? value])
    return this.#run(workflow, { event_name: 'workflow_dispatch' }, Object.fromEntries(all))
  }

  /** One run after another, as one concurrency group has it. */
  #run(workflow: Workflow, github: Readonly<Record<string, string>>, inputs: Inputs): Promise<WorkflowRun> {
    const run = this.#last.then(async () => {
      const { signal } = this.#end
      if (signal.aborted) return { workflow: workflow.file, steps: [] }
      const onMove = (): void => void (this.moves += 1)
      const steps = await runWorkflow(workflow, github, inputs, { ...this.#options, end: signal, onMove })
      const done = { workflow: workflow.file, steps }
      this.runs.push(done)
      return done
    })
    this.#last = run.catch(() => {})
    return run
  }
}

/** GitHub refuses a workflow that cannot be dispatched, and inputs that it does not list. */
function takesInputs({ on }: Workflow, inputs: Inputs): boolean {
  const known = on.workflow_dispatch?.inputs ?? {}
  return on.workflow_dispatch !== undefined && Object.keys(inputs).every((name) => Object.hasOwn(known, name))
}
