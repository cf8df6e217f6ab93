/**
 * Delivers the result of a rebuild to the view `store`. Compares all sellers if that is requested, or if a comparison
 * of the view is due; otherwise delivers the pending sellers.
 */
import { findIdProblem } from '../../../domain/documents/page-id.ts'
import { readObjectData } from '../../rebuild/plan/object-data.ts'
import type { PageDataSource } from '../../rebuild/plan/page-sources.ts'
import { readSource } from '../../rebuild/read/read-source.ts'
import { checkShrink, createHoldRule } from '../../rebuild/read/shrink-guard.ts'
import type { World } from '../../rebuild/world.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { Waits } from '../../state/snapshot/waits.ts'
import { formatIntake } from '../worker/prepare-worker.ts'
import type { Compared } from '../search/compare-index.ts'
import { createReadEntry } from '../search/read-entry.ts'
import { refreshIndex } from '../search/refresh-index.ts'
import type { SearchClient } from '../search/search-client.ts'
import { compareObjects } from './compare-objects.ts'
import { deliverObjects } from './deliver-objects.ts'
import type { Delivery, DeliveryOutcome, Outbox, ReadObject } from './delivery.ts'
import { findLoss } from './find-loss.ts'
import type { ObjectClient } from './object-client.ts'
import { sendFiles } from './send-files.ts'
import type { SentFiles } from './sent-files.ts'
import type { TagTable } from './tag-table.ts'
import { readAllTags } from './tag-table.ts'

export interface DeliveryTarget {
  /** Origin of the site that receives the objects. */
  readonly site: string
  readonly client: ObjectClient
  readonly sent: SentFiles
  readonly search: SearchClient
}

export interface BegunDelivery {
  /** True if the tags of all objects were read for a comparison. The source must then be read after `beginDelivery`. */
  readonly isWhole: boolean
  /** Must be called after the rebuild, by a caller that holds the locks of the state. */
  deliver(): Promise<DeliveryOutcome>
  /**
   * Compares the search index if a comparison is due; otherwise returns `null`. Must be called after the delivery.
   * `isPublished` is true if a new Worker may have gone live.
   */
  refreshIndex(isPublished: boolean): Promise<Compared | null>
  close(): void
}

/** Must be called before the rebuild reads the source, because pushed data must have been read after its tag. */
export async function beginDelivery(
  world: World,
  target: DeliveryTarget,
  isWhole: boolean,
): Promise<BegunDelivery> {
  const { snapshot } = world.state
  const { waits } = snapshot
  const { client, site, sent, search } = target
  waits.register('store', site)
  const isKnown = !waits.isCompared('store')
  const readTags = (): Promise<TagTable> => {
    world.progress('Reading which objects the site has')
    return readAllTags(client.readTags)
  }
  let tags = isWhole || !isKnown ? await readTags() : null
  return {
    isWhole: tags !== null,
    deliver: async () => {
      const delivery = createDelivery(world, target)
      if (tags === null && waits.isCompared('store')) {
        tags = await readTags()
        world.progress('Reading the source again')
        // Reads the changes of the source again, because the data of an object must have been read after its tag.
        await readSellers(world, [])
      }
      const loss = tags === null ? null : findLoss(tags, listDelivered(snapshot))
      if (loss?.isFound === true) sent.forget()
      waits.add(loss?.again ?? [])
      // The Worker refers to the home page's picture, so the store must have it.
      const home = world.state.pictures.findHome()
      if (home !== null) await delivery.sendFiles([home])
      if (tags === null) return deliverObjects(delivery)
      world.progress('Comparing all objects')
      // Pending sellers are pushed even if the store has equal data, because another builder may be about to put older
      // data. The push changes the tag of the object, so that the older put is rejected. If a comparison was due before
      // the rebuild, only differences are pushed.
      const named = new Set(isKnown ? waits.list('store') : [])
      const failed = new Set(waits.readFailed('store').map(({ seller }) => seller))
      return compareObjects(delivery, {
        tags,
        sellers: snapshot.readSellers(),
        read: createReadObject(world),
        named,
        failed,
        complete: () => waits.settleComparison('store'),
      })
    },
    refreshIndex: async (isPublished) =>
      world.inputs.settings.search
        ? refreshIndex(
            {
              snapshot,
              read: createReadEntry(createData(world)),
              client: search,
              site,
              progress: world.progress,
            },
            { isWhole: tags !== null, isPublished },
          )
        : null,
    close: () => tags?.close(),
  }
}

/** Returns the sellers whose objects the store has, as far as the snapshot knows; none while a comparison is due. */
function listDelivered({ waits, readSellers: list }: Snapshot): readonly string[] {
  if (waits.isCompared('store')) return []
  const waiting = new Set(waits.list('store'))
  return [...list()].filter((seller) => !waiting.has(seller))
}

function createDelivery(world: World, { client, sent }: DeliveryTarget): Delivery {
  const { inputs, options, state } = world
  const readFile = (path: string): Uint8Array | null => state.pictures.readFile(path)
  return {
    outbox: createOutbox(state.snapshot.waits, options.isWatch),
    intake: formatIntake(inputs.code, {
      publicFiles: Object.keys(inputs.publicFiles),
      pictures: state.pictures.settings,
      maxProducts: inputs.maxProducts,
    }),
    isShrinkAllowed: options.isShrinkAllowed,
    readTags: client.readTags,
    readObjects: async (names) => {
      await readSellers(world, names)
      return createReadObject(world)
    },
    sendFiles: (paths) => sendFiles(paths, { client, sent, readFile }),
    push: client.push,
    countBytes: client.countBytes,
  }
}

/**
 * Creates the outbox from the sellers who wait for the view `store`; with `isDue`, only from those whose next try is
 * due. `read` settles names that are not valid page ids, because the store cannot have an object for them.
 */
function createOutbox(waits: Waits, isDue: boolean): Outbox {
  const settle = (names: readonly string[]): void => waits.settle('store', names)
  return {
    read: () => {
      const names = waits.list('store', { isDue })
      const wrong = names.filter((name) => findIdProblem(name) !== null)
      settle(wrong)
      return names.filter((name) => !wrong.includes(name))
    },
    add: waits.add,
    postpone: (failures) => waits.postpone('store', failures),
    settle,
  }
}

function createReadObject(world: World): ReadObject {
  const data = createData(world)
  return (name) => readObjectData(data, name)
}

function createData({ inputs, state }: World): PageDataSource {
  const publicFiles = new Set(Object.keys(inputs.publicFiles))
  return { ...state, publicFiles, site: inputs.settings }
}

// Skips a source that is always read whole, such as a folder, because the rebuild has just read it.
async function readSellers(world: World, sellers: readonly string[]): Promise<void> {
  const { inputs, options, state } = world
  const source = await world.openSource()
  try {
    if (source.readsWhole) return
    await readSource(source, state.snapshot, {
      sellers,
      isFull: false,
      intake: inputs.code.intake,
      hold: createHoldRule(world.clock(), options.isShrinkAllowed),
      accept: (change) => void checkShrink(change, options.isShrinkAllowed),
      progress: () => {},
    })
  } finally {
    await source.close()
  }
}
