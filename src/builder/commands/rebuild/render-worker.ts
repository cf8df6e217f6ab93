/** A render worker: opens the snapshot and the renderer once, then renders the pages of each task. */
import { threadId, workerData } from 'node:worker_threads'
import { openPictures } from '../../pictures/open-pictures.ts'
import type { TaskPage, TaskResult, WorkerSetup } from '../../rebuild/render-task.ts'
import { runTask } from '../../rebuild/render-task.ts'
import { loadRenderer } from '../../renderer/load-renderer.ts'
import { openSnapshot } from '../../state/snapshot/open-snapshot.ts'

// The first item is the pool's own data. Source: tinypool, `workerData`.
const [, setup] = workerData as [unknown, WorkerSetup]
const snapshot = openSnapshot(setup.snapshot)
const renderer = await loadRenderer(setup.server, setup.settings)
const publicFiles = new Set(setup.publicFiles)
const pictures = openPictures(setup.pictures, {
  readPublicFile: () => null,
  now: Date.now,
  warn: (message) => {
    throw new Error(message)
  },
})
let count = 0

export default function render(pages: readonly TaskPage[]): Promise<readonly TaskResult[]> {
  const nameFile = (): string => `${process.pid}-${threadId}-${(count += 1)}`
  return runTask(pages, {
    snapshot,
    pictures,
    renderer,
    nameFile,
    output: setup.output,
    partial: setup.partial,
    publicFiles,
    url: setup.settings.url,
  })
}
