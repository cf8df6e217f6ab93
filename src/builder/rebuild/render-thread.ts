/** A thread that writes the sellers and lists that it is sent: see writer-threads.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { openPictures } from '../pictures/open-pictures.ts'
import { loadRenderer } from '../renderer/load-renderer.ts'
import { readResultCode } from '../result-codes.ts'
import { createOutput } from '../state/output.ts'
import { openStateReads } from '../state/site-state.ts'
import { createSiteWriter } from './site-writer.ts'
import type { Written } from './site-writer.ts'
import type { ThreadMessage, ThreadSetup, ThreadTask } from './writer-threads.ts'

const setup = workerData as ThreadSetup
const send = (message: ThreadMessage): void => parentPort?.postMessage(message)

const writer = createSiteWriter({
  ...setup,
  reads: openStateReads(setup.state),
  output: createOutput(setup.output, { thread: setup.thread }),
  renderer: await loadRenderer(setup.server, setup.site),
  publicFiles: new Set(setup.publicFiles),
  // A thread only reads pictures.
  pictures: openPictures(setup.pictures, { readPublicFile: () => null, now: Date.now, warn: () => {} }),
})

/** Sellers between two messages about the progress. */
const STEP = 50

function run(task: ThreadTask): Promise<Written> {
  if (task.kind === 'lists') return writer.writeLists(task.keys, task.facts)
  return writer.writeSellers(task.sellers, (sellers) => {
    if (sellers % STEP === 0) send({ kind: 'progress', sellers })
  })
}

parentPort?.on('message', (task: ThreadTask) => {
  run(task).then(
    (written) => send({ kind: 'written', written }),
    (error: Error) => send({ kind: 'failed', error, errcode: readResultCode(error) }),
  )
})
