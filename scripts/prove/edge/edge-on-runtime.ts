/**
 * The edge of stories on the local runtime: one workerd runs many stories, each with its own objects, caches and
 * coordinator.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Edge } from '../../../src/builder/commands/local/local-edge.ts'
import { startEdge } from '../../../src/builder/commands/local/local-edge.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { LocalServer } from '../../local/local-server.ts'
import type { Around, EdgeAnswers, StoryEdge } from './edge.ts'
import { STORY_SITE } from './stories/story-renderer.ts'
import type { AskPage, Question } from './traffic.ts'
import { listKeys, STORY_MAX_AGE } from './world.ts'

interface Runtime {
  openEdge(): Promise<StoryEdge>
  close(): Promise<void>
}

interface RunningTask {
  readonly ask: AskPage
  readonly end: () => void
}

const CONFIGURATION = {
  name: 'proof',
  main: join(ROOT, 'scripts/prove/edge/runtime-worker.ts'),
  compatibility_date: '2026-11-01',
  r2_buckets: [{ binding: 'PAGES', bucket_name: 'pages' }],
  durable_objects: { bindings: [{ name: 'LEDGER', class_name: 'LedgerObject' }] },
  migrations: [{ tag: 'v1', new_sqlite_classes: ['LedgerObject'] }],
}

export async function openRuntime(): Promise<Runtime> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-edge-'))
  const tasks = new Map<number, RunningTask>()
  const server = await startHarness(tasks)
  let edge = await startWorker(folder)
  let stories = 0
  const host: Host = {
    tasks,
    call: async (body) => {
      const response = await fetch(edge.origin, { method: 'POST', body: JSON.stringify(body) })
      const answer = (await response.json()) as { result: never } | { error: string }
      if ('error' in answer) throw new Error(answer.error)
      return answer.result
    },
    crash: async () => {
      tasks.clear()
      await edge.kill()
      edge = await startWorker(folder)
    },
  }
  return {
    openEdge: async () => {
      const story = `story-${(stories += 1)}`
      return createEdge(
        {
          story,
          harness: server.origin,
          keys: await listKeys(),
          origin: STORY_SITE.url,
          maxAge: STORY_MAX_AGE,
        },
        host,
      )
    },
    close: async () => {
      await edge.close()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Host {
  /** Running tasks by number. Each question of the Worker contains the number of its task. */
  readonly tasks: Map<number, RunningTask>
  call<Result>(body: object): Promise<Result>
  crash(): Promise<void>
}

let count = 0

function createEdge(around: Omit<Around, 'task' | 'by'>, { tasks, call, crash }: Host): StoryEdge {
  const { story } = around
  return {
    run: (kind, given, ask, by) => {
      const task = ask === null ? null : (count += 1)
      const result = call<EdgeAnswers[typeof kind]>({ ...around, kind, call: given, task, by })
      result.catch(ignore)
      if (ask === null || task === null) return { result, ended: result.then(ignore, ignore) }
      const ended = new Promise<void>((resolve) => void tasks.set(task, { ask, end: resolve }))
      return { result, ended }
    },
    readWaiting: (now) => call({ kind: 'read waiting', story, now }),
    crash,
    close: async () => tasks.clear(),
  }
}

async function startWorker(folder: string): Promise<Edge> {
  const configuration = join(folder, 'wrangler.json')
  writeFileSync(configuration, JSON.stringify(CONFIGURATION))
  const state = join(folder, 'state')
  return startEdge({ serve: { configuration }, state, variables: {} })
}

/** Starts the server that the Worker asks about the fate of each operation. */
function startHarness(tasks: Map<number, RunningTask>): Promise<LocalServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { task: number, question } = JSON.parse(await text(request)) as { task: number; question: Question }
    const task = tasks.get(number)
    if (request.url === '/ended') tasks.delete(number)
    const verdict = request.url === '/ended' ? {} : await task?.ask(question)
    response.end(JSON.stringify(verdict ?? { fate: 'failed', now: 0 }))
    if (request.url === '/ended') task?.end()
  }
  return new LocalServer(answer).start()
}

function ignore(): void {}
