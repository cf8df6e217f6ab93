/**
 * Model of how one builder records its pending work, on a site of files with source, snapshot, folder, live site and
 * index. The snapshot (data and waiting rows) and the folder (pages and record) commit separately; runs are cut off
 * between any two commits; either of the two is restored from an older copy; pages fail for a while; a run is published
 * or not. At the end, folder, live site and index show the source. The index never shows data that no live page has
 * shown. `index-order.ts` models several builders.
 */
import type { Random } from '../../measure/random.ts'
import { type Protocol, playRandomly } from './protocol.ts'

const RULES = {
  'waiting rows are written in the transaction of the read': 26,
  "the index's row is written when the folder's row is deleted": 14,
  'the index is fed only rows up to the published run': 1,
  'a publish is remembered by its id': 8,
  'a seller whose pages are unwritten is not fed': 45,
  'everything is compared if the links of snapshot and folder differ': 5,
  'a page that fails keeps its row': 2,
}
type Rule = keyof typeof RULES

export const waitingRows: Protocol<Rule> = { name: 'rows that wait in a builder', rules: RULES, play }

const SELLERS = [0, 1, 2] as const
type Seller = (typeof SELLERS)[number]
type Rows = Partial<Record<Seller, number>>

interface World {
  readonly source: number[]
  snapshot: {
    data: number[]
    /** Pages that wait to be written: by seller, the run that wrote the row. */
    readonly folder: Rows
    /** Entries that wait to be fed to the index: by seller, the run that wrote the row. */
    readonly index: Rows
    run: number
    link: number
    published: { readonly id: number; readonly run: number }
  }
  folder: { readonly pages: number[]; run: number; link: number }
  live: { readonly pages: readonly number[]; readonly id: number; readonly run: number }
  /** By seller: the newest data that the live page has shown so far. */
  readonly shown: number[]
  readonly index: number[]
  /** The last number given to an edit, to a publish, or to a link between snapshot and folder. */
  count: number
  isFailing: boolean
  /** Whether the index has shown data that no live page had shown. */
  isAhead: boolean
}

type Commit = () => void

function play(random: Random, without: Rule | null): boolean {
  const world = createWorld()
  const copies = { snapshot: structuredClone(world.snapshot), folder: structuredClone(world.folder) }
  const happenings = {
    edit: () => {
      world.source[random.pick(SELLERS)] = next(world)
    },
    run: () => {
      const commits = listCommits(world, random, without, random.chance(0.5))
      const end = random.below(3) === 0 ? random.below(commits.length + 1) : commits.length
      for (const commit of commits.slice(0, end)) commit()
    },
    feed: () => feed(world, random.pick(SELLERS), without),
    fail: () => {
      world.isFailing = !world.isFailing
    },
    keep: () => {
      copies.snapshot = structuredClone(world.snapshot)
      copies.folder = structuredClone(world.folder)
    },
    restoreSnapshot: () => {
      if (random.below(3) === 0) world.snapshot = structuredClone(copies.snapshot)
    },
    restoreFolder: () => {
      if (random.below(3) === 0) world.folder = structuredClone(copies.folder)
    },
  }
  const names = ['edit', 'run', 'feed', 'fail', 'keep', 'restoreSnapshot', 'restoreFolder'] as const
  playRandomly(happenings, ['edit', 'edit', 'run', 'run', 'run', ...names], 10 + random.below(40), random)
  world.isFailing = false
  for (const commit of listCommits(world, random, without, true)) commit()
  const views = [world.folder.pages, world.live.pages, world.index]
  return (
    !world.isAhead && SELLERS.every((seller) => views.every((view) => view[seller] === world.source[seller]))
  )
}

function createWorld(): World {
  return {
    source: [1, 1, 1],
    snapshot: { data: [0, 0, 0], folder: {}, index: {}, run: 0, link: 0, published: { id: 0, run: 0 } },
    folder: { pages: [0, 0, 0], run: 0, link: 0 },
    live: { pages: [0, 0, 0], id: 0, run: 0 },
    shown: [0, 0, 0],
    index: [0, 0, 0],
    count: 1,
    isFailing: false,
    isAhead: false,
  }
}

function next(world: World): number {
  world.count += 1
  return world.count
}

/** Returns the commits of a run, in order. A run that is cut off makes only the first few of them. */
function listCommits(world: World, random: Random, without: Rule | null, isPublished: boolean): Commit[] {
  const { snapshot, folder } = world
  const run = snapshot.run + 1
  const failing = world.isFailing ? random.below(4) : null
  return [
    ...listReadCommits(world, run, without),
    ...listFolderCommits(world, run, without, failing),
    () => {
      folder.run = run
    },
    ...(isPublished ? [() => publish(world, run), () => rememberPublish(snapshot, world.live)] : []),
    ...SELLERS.map((seller) => () => feed(world, seller, without)),
  ]
}

/**
 * Returns the commits before the first page: the snapshot takes the source's data, then snapshot and folder get a new
 * link.
 */
function listReadCommits(world: World, run: number, without: Rule | null): Commit[] {
  const { source, snapshot, folder } = world
  const found = [...source]
  const isTrusted =
    without === 'everything is compared if the links of snapshot and folder differ' ||
    snapshot.link === folder.link
  const named = SELLERS.filter((seller) => snapshot.data[seller] !== found[seller])
  const addRows = (sellers: readonly Seller[]): void => {
    for (const seller of sellers) {
      snapshot.folder[seller] = run
      if (without === "the index's row is written when the folder's row is deleted")
        snapshot.index[seller] = run
    }
  }
  const isLate = without === 'waiting rows are written in the transaction of the read'
  const link = next(world)
  return [
    () => {
      snapshot.run = run
      snapshot.data = found
      if (!isLate) addRows(named)
      if (!isTrusted) addRows(SELLERS)
    },
    ...(isLate ? [() => addRows(named)] : []),
    () => {
      snapshot.link = link
    },
    () => {
      folder.link = link
    },
  ]
}

/** Returns a commit for each page, then one that replaces the rows of the written pages by rows for the index. */
function listFolderCommits(
  world: World,
  run: number,
  without: Rule | null,
  failing: number | null,
): Commit[] {
  const { snapshot, folder } = world
  const written: Seller[] = []
  const isForgotten = (seller: Seller): boolean =>
    without === 'a page that fails keeps its row' && seller === failing
  return [
    ...SELLERS.map((seller) => () => {
      if (snapshot.folder[seller] === undefined || seller === failing) return
      folder.pages[seller] = snapshot.data[seller] ?? 0
      written.push(seller)
    }),
    () => {
      for (const seller of SELLERS) {
        if (!written.includes(seller) && !isForgotten(seller)) continue
        delete snapshot.folder[seller]
        if (without !== "the index's row is written when the folder's row is deleted")
          snapshot.index[seller] = run
      }
    },
  ]
}

function publish(world: World, run: number): void {
  world.live = { pages: [...world.folder.pages], id: next(world), run }
  for (const seller of SELLERS) {
    world.shown[seller] = Math.max(world.shown[seller] ?? 0, world.live.pages[seller] ?? 0)
  }
}

function rememberPublish(snapshot: World['snapshot'], { id, run }: World['live']): void {
  snapshot.published = { id, run }
}

/**
 * Feeds the seller's waiting row to the index. With all rules, does nothing if the publish recorded in the snapshot is
 * not live, if the row is newer than that publish, or if the seller waits for the folder.
 */
function feed(world: World, seller: Seller, without: Rule | null): void {
  const { snapshot, live } = world
  const run = snapshot.index[seller]
  if (run === undefined) return
  const isLiveById = snapshot.published.id === live.id
  const byRun = without === 'a publish is remembered by its id'
  if (!isLiveById && !byRun) return
  const published = byRun ? live.run : snapshot.published.run
  if (run > published && without !== 'the index is fed only rows up to the published run') return
  if (snapshot.folder[seller] !== undefined && without !== 'a seller whose pages are unwritten is not fed')
    return
  const data = snapshot.data[seller] ?? 0
  world.index[seller] = data
  if (data > (world.shown[seller] ?? 0)) world.isAhead = true
  delete snapshot.index[seller]
}
