/** A render worker: loads the renderer, opens the snapshot at the first task, and renders the pages of each task. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { threadId, workerData } from 'node:worker_threads'
import { openPictures } from '../../pictures/open-pictures.ts'
import type { TaskPage, TaskResult, TaskTools, WorkerSetup } from '../../rebuild/render/render-task.ts'
import { createPageBuffer } from '../../rebuild/render/page-buffer.ts'
import { runTask } from '../../rebuild/render/render-task.ts'
import { serveTasks } from '../../rebuild/render/serve-tasks.ts'
import { loadRenderer } from '../../renderer/load-renderer.ts'
import { openSnapshot } from '../../state/snapshot/open-snapshot.ts'

const setup = workerData as WorkerSetup
const renderer = await loadRenderer(setup.server, setup.settings)
const publicFiles = new Set(setup.publicFiles)
// Opened at the first task, because the worker may start before the snapshot is written.
let data: Pick<TaskTools, 'snapshot' | 'pictures'> | undefined
const buffer = createPageBuffer()
// Each worker has its own folder, because threads that create files in the same folder block each other.
const folder = `${process.pid}-thread-${threadId}`
let count = 0

function render(pages: readonly TaskPage[]): Promise<readonly TaskResult[]> {
  const nameFile = (): string => `${folder}/${(count += 1)}`
  return runTask(pages, {
    ...(data ??= open()),
    renderer,
    nameFile,
    output: setup.output,
    partial: setup.partial,
    buffer,
    publicFiles,
    site: setup.settings,
  })
}

function open(): Pick<TaskTools, 'snapshot' | 'pictures'> {
  mkdirSync(join(setup.partial, folder), { recursive: true })
  const pictures = openPictures(setup.pictures, {
    readPublicFile: () => null,
    now: Date.now,
    warn: (message) => {
      throw new Error(message)
    },
  })
  return { snapshot: openSnapshot(setup.snapshot), pictures }
}

serveTasks(render)
