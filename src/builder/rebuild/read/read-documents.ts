/** Reads the source into the snapshot, as the first step of a rebuild. */
import { formatCount } from '../../format-numbers.ts'
import type { Output } from '../../state/output/output.ts'
import type { SnapshotChange, Totals } from '../../state/snapshot/snapshot.ts'
import { POOL_FROM } from '../plan/plan-site.ts'
import type { FarReadError, StartFar } from './far-half.ts'
import type { ReadResult } from './read-source.ts'
import { readSource } from './read-source.ts'
import { checkShrink, createHoldRule } from './shrink-guard.ts'
import type { RebuildState, World } from '../world.ts'

/**
 * Number of read documents from which on a first read starts the render workers. A site with so many documents usually
 * has at least `POOL_FROM` pages.
 */
const MANY = 5_000

export async function readDocuments(world: World, isDry: boolean): Promise<ReadResult> {
  const { options, inputs, progress, renderers, startFar } = world
  const { sellers } = world.state.snapshot.readTotals()
  const rendersAll = !isDry && (options.isFull || sellers === 0)
  // Starts the workers early, so that they load their code while this thread reads the source.
  const startWorkers = async (known: number): Promise<void> => {
    if (rendersAll && (sellers >= POOL_FROM || known >= MANY)) await renderers.startWorkers()
  }
  // True while another thread reads. No core is free for the render workers during that time.
  let isCoreTaken = false
  const readFar: StartFar | null =
    startFar &&
    ((half, isCompared) => {
      isCoreTaken = true
      const far = startFar(half, isCompared)
      const reportFailure = (error: FarReadError): never => {
        progress(`Reading in one thread, because ${error.message}`)
        throw error
      }
      // Starts the workers before the part of the other thread is copied into the snapshot, because the copy blocks
      // this thread.
      const part = far.part.catch(reportFailure).finally(async () => {
        isCoreTaken = false
        await startWorkers(MANY)
      })
      // Prevents an unhandled rejection. The caller that awaits `part` still gets the error.
      part.catch(() => {})
      return { ...far, part }
    })
  progress('Reading the source')
  const source = await world.openSource()
  let hasShrunk = false
  try {
    const result = await readSource(source, world.state.snapshot, {
      sellers: options.sellers,
      isFull: options.isFull,
      intake: inputs.code.intake,
      hold: createHoldRule(world.clock(), options.isShrinkAllowed),
      startFar: readFar,
      accept: (change) => {
        hasShrunk = checkShrink(withRecorded(change, world.state), options.isShrinkAllowed)
      },
      progress: (count) => {
        if (!isCoreTaken) void startWorkers(count)
        if (count > 0) progress(`Reading the source: ${formatCount(count, 'document')}`)
      },
    })
    if (hasShrunk) world.noteShrink?.()
    return result
  } finally {
    await source.close()
  }
}

// The shrink guard compares with the previous totals. A new snapshot has none, so they are taken from the record or, if
// it has none either, from the pages in the output folder.
function withRecorded(change: SnapshotChange, { record, output }: RebuildState): SnapshotChange {
  if (change.before.sellers > 0) return change
  const held = record.readTotals() ?? countPages(output)
  const lose = (name: keyof Totals): number => Math.max(0, held[name] - change.after[name])
  return {
    ...change,
    before: held,
    gone: { sellers: lose('sellers'), profiles: lose('profiles'), products: lose('products') },
  }
}

function countPages(output: Output): Totals {
  const pages = output.list().filter((path) => /^catalogo\/(?!404\.html$)[^/]+\.html$/.test(path))
  return { sellers: pages.length, profiles: 0, products: 0 }
}
