/** The first half of a rebuild, which a dry run ends with: reads the source and makes the plan. */
import { formatCanonicalJson } from '../domain/json.ts'
import type { CheckResult } from './check-files.ts'
import { findDifferences } from './check-files.ts'
import { UsageError } from './configuration.ts'
import { checkShrink } from './guard.ts'
import type { Laps } from './laps.ts'
import type { Trust } from './marker.ts'
import { readTrust } from './marker.ts'
import type { Generation } from './plan.ts'
import type { SitePlan } from './plan-site.ts'
import { planSite } from './plan-site.ts'
import type { ReadResult } from './read-source.ts'
import { readSource } from './read-source.ts'
import type { World } from './world.ts'

export interface Preparation {
  readonly read: ReadResult
  readonly trust: Trust
  readonly plan: SitePlan
  readonly generation: Generation
  /** The generation's number in the record. */
  readonly number: number
  /** What was found when every file was looked at, `null` when that was not needed. */
  readonly check: CheckResult | null
}

export async function prepareRebuild(world: World, laps: Laps): Promise<Preparation> {
  const { record, output } = world
  const trust = readTrust(output, record)
  if (trust === 'foreign') {
    throw new UsageError(
      'The output folder holds files that are not of this site. Name another with --out, or empty it.',
    )
  }
  const read = await readDocuments(world)
  laps.end('read')
  const isWhole = trust !== 'trusted' || world.options.isVerify || !followsSnapshot(world)
  const check = isWhole ? checkFiles(world) : null
  if (isWhole) laps.end('check')
  const generation: Generation = {
    code: world.code,
    settings: formatCanonicalJson(world.settings),
    runtime: world.runtime,
  }
  const number = record.openGeneration(generation)
  const plan = planSite({ ...world, generation, number, isWhole, isFull: world.options.isFull })
  laps.end('plan')
  return { read, trust, plan, generation, number, check }
}

async function readDocuments(world: World): Promise<ReadResult> {
  const { options, progress } = world
  progress('Reading the source')
  const source = await world.openSource()
  try {
    return await readSource(source, world.snapshot, {
      sellers: options.sellers,
      isFull: options.isFull,
      accept: (change) => checkShrink(change, options.isShrinkAllowed),
      progress: (count) => progress(`Reading the source: ${count.toLocaleString('en')} documents`),
    })
  } finally {
    source.close()
  }
}

function checkFiles({ output, record, progress }: World): CheckResult {
  progress('Checking every file')
  const check = findDifferences(output, record)
  record.markUnsurePaths(check.damaged)
  return check
}

// Else changes that the snapshot has settled may never have reached this record.
function followsSnapshot({ record, snapshot }: World): boolean {
  const seen = record.readSnapshotVersion()
  const now = snapshot.readVersion()
  return seen !== null && seen.identity === now.identity && seen.sequence <= now.sequence
}
