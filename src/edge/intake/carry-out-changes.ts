/**
 * Renders changed sellers: read, permit, render, put. A seller is read again if another writer puts the object first.
 * Each seller gets an outcome, which the caller reports to the coordinator.
 */
import { findIdProblem } from '../../domain/documents/page-id.ts'
import type { ChangeOutcome } from '../coordinator/change-ledger.ts'
import type { SettledObject } from '../coordinator/object-ledger.ts'
import { mapLimited } from '../objects/map-limited.ts'
import type { PutRules, WantedObject } from '../objects/put-objects.ts'
import { OBJECTS_AT_ONCE, permitObjects, putObject } from '../objects/put-objects.ts'
import type { ChangeHost } from './change-host.ts'
import { createStoreTrouble, createTrouble } from './change-outcomes.ts'
import type { ReadChange } from './read-change.ts'
import { readChange } from './read-change.ts'
import type { TakeTurn } from './take-turns.ts'
import { createTurns } from './take-turns.ts'

/** Max rounds for a seller, because another writer may put the same object first each time. */
const ROUNDS = 3

export interface ChangeEnd {
  readonly name: string
  readonly outcome: ChangeOutcome
  /** `null` if nothing was put. */
  readonly settled: SettledObject | null
}

interface Work {
  readonly host: ChangeHost
  readonly takeTurn: TakeTurn
  readonly rules: PutRules
}

/** `names` are distinct. Rejects if the coordinator fails. */
export async function carryOutChanges(
  names: readonly string[],
  host: ChangeHost,
): Promise<readonly ChangeEnd[]> {
  const rules = { intake: host.intake.intake, isShrinkAllowed: false }
  const work = { host, takeTurn: createTurns(), rules }
  const ends = new Map<string, ChangeEnd>()
  let left = names
  for (let round = 1; round <= ROUNDS && left.length > 0; round += 1) {
    for (const end of await carryOutRound(left, work)) ends.set(end.name, end)
    left = left.filter((name) => ends.get(name)?.outcome === BEATEN)
  }
  return [...ends.values()]
}

/** The part of `ChangeEnd` that is the same for all changes without a put. */
const NOTHING = { settled: null }

const BEATEN = createTrouble(`another writer put the same object first in each of ${ROUNDS} tries`)

async function carryOutRound(names: readonly string[], work: Work): Promise<readonly ChangeEnd[]> {
  const { host, rules } = work
  const reads = await readAll(names, work)
  const changes = reads.flatMap(({ read }) => (read.kind === 'read' ? [read] : []))
  const objects = changes.map(({ object }) => object)
  const { refused, reason } = await permitObjects(objects, rules, host)
  await noticeMoved(
    changes.filter(({ object }) => !refused.includes(object.name)),
    host,
  )
  const end = async ({ name, read }: NamedRead): Promise<ChangeEnd> => {
    if (read.kind === 'ended') return { name, outcome: read.outcome, ...NOTHING }
    if (refused.includes(name)) return { name, outcome: { kind: 'held', reason: reason ?? '' }, ...NOTHING }
    return { name, ...(await put(read.object, work)) }
  }
  return mapLimited(reads, OBJECTS_AT_ONCE, end)
}

/**
 * Records a change for each seller who now has a product that a changed seller had. Must run before the puts, because
 * only the objects that the puts replace show which products a seller had.
 */
async function noticeMoved(
  changes: readonly Pick<Extract<ReadChange, { kind: 'read' }>, 'moved'>[],
  { ledger }: ChangeHost,
): Promise<void> {
  const moved = new Set(changes.flatMap((change) => change.moved))
  if (moved.size > 0) await ledger.noticeChanges([...moved])
}

interface NamedRead {
  readonly name: string
  readonly read: ReadChange
}

/**
 * Reads the sellers. After the first outcome `trouble`, sellers whose reads have not begun get the same outcome without
 * a read, because their reads would probably fail for the same reason.
 */
async function readAll(names: readonly string[], { host, takeTurn }: Work): Promise<readonly NamedRead[]> {
  let trouble: ReadChange | null = null
  return mapLimited(names, OBJECTS_AT_ONCE, async (name) => {
    // A notice may contain an id that no page can have. Such a seller has no object, so the outcome is `absent`.
    if (findIdProblem(name) !== null) return { name, read: ABSENT }
    if (trouble !== null) return { name, read: trouble }
    const read = await readChange(name, host, takeTurn)
    if (read.kind === 'ended' && read.outcome.kind === 'trouble') trouble = read
    return { name, read }
  })
}

const ABSENT: ReadChange = { kind: 'ended', outcome: { kind: 'absent' } }

async function put(object: WantedObject, { host, takeTurn, rules }: Work): Promise<Omit<ChangeEnd, 'name'>> {
  try {
    const { result, settled } = await takeTurn(object.data, () => putObject(object, rules, host))
    if (result.outcome === 'stored') return { outcome: { kind: 'put' }, settled }
    const isBeaten = result.outcome === 'beaten'
    return { outcome: isBeaten ? BEATEN : { kind: 'failed', reason: result.reason }, ...NOTHING }
  } catch (error) {
    return { outcome: createStoreTrouble(error), ...NOTHING }
  }
}
