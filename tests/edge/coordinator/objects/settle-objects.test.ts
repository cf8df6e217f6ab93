/** A put is counted once, is never taken back, and reports how long changes took to become live. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CoordinatorTwin } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'
import { acceptNotice } from '../../../../src/edge/coordinator/accept-notice.ts'
import { claimBuild } from '../../../../src/edge/coordinator/claim-build.ts'
import { findBucket } from '../../../../src/domain/objects/object-key.ts'
import type { SettledObject } from '../../../../src/edge/coordinator/object-ledger.ts'

let ledger: CoordinatorTwin
beforeEach(() => {
  ledger = new CoordinatorTwin()
})

function createSettled(name: string, version: number, more: Partial<SettledObject> = {}): SettledObject {
  return { name, version, isGone: false, hasProfile: true, products: 2, updated: `time-${version}`, ...more }
}

const settle = (...objects: readonly SettledObject[]): Promise<void> => ledger.calls.settle(objects, 'put')

async function readListed(name: string): Promise<unknown> {
  return ledger.calls.readListed(await findBucket(name))
}

describe('a settled object', () => {
  it('is listed in its bucket while it has products', async () => {
    await settle(createSettled('ana', 1))
    expect(await readListed('ana')).toEqual([{ seller: 'ana', updated: 'time-1' }])
    expect(await ledger.calls.readBuckets()).toEqual([await findBucket('ana')])
    await settle(createSettled('ana', 2, { products: 0 }))
    expect(await readListed('ana')).toEqual([])
    expect(await ledger.calls.readBuckets()).toEqual([])
    expect((await ledger.calls.readSiteState()).sellers).toBe(1)
  })

  it('never goes back to an older version', async () => {
    await settle(createSettled('ana', 3))
    await settle(createSettled('ana', 2, { isGone: true, products: 0 }))
    await ledger.calls.settle([createSettled('ana', 3, { products: 9 })], 'seen')
    expect(await readListed('ana')).toEqual([{ seller: 'ana', updated: 'time-3' }])
    expect(ledger.standing.totals).toEqual({ sellers: 1, profiles: 1, products: 2 })
  })

  it('is listed with the others in the order of buckets and names', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `s${index}`)
    await settle(...names.map((name) => createSettled(name, 1)))
    const buckets = await Promise.all(names.map(findBucket))
    const [first = 0] = buckets
    expect(await ledger.calls.readBuckets()).toEqual([...new Set(buckets)].toSorted((a, b) => a - b))
    const expected = names.filter((_, index) => buckets[index] === first).toSorted()
    expect((await ledger.calls.readListed(first)).map(({ seller }) => seller)).toEqual(expected)
  })

  it('costs no query over all others', async () => {
    await settle(createSettled('ana', 1))
    const plans = [
      'SELECT * FROM objects WHERE name = ?',
      'SELECT * FROM objects WHERE since <= ?',
      'SELECT name, version FROM objects INDEXED BY objects_by_bucket WHERE bucket = ? AND sellers > 0',
      'SELECT name FROM objects INDEXED BY objects_by_bucket WHERE bucket = ? AND sellers > 0 AND products > 0 ORDER BY name',
    ].map((query) => ledger.database.prepare(`EXPLAIN QUERY PLAN ${query}`).all(1))
    expect(JSON.stringify(plans)).not.toMatch(/SCAN|TEMP B-TREE/)
  })
})

describe('the latency', () => {
  /** A notice now, of a standing without builds. */
  function notify(seller: string): void {
    ledger.take(acceptNotice, { id: `n${ledger.standing.last}`, sellers: [seller], isFull: false })
  }

  const readLatency = async (): Promise<unknown> => (await ledger.calls.readSiteState()).latency

  beforeEach(() => {
    ledger.now += 1_000
    notify('ana')
    ledger.now += 300
  })

  it('is the time from the notice to the put, measured once for each notice', async () => {
    await settle(createSettled('ana', 1))
    ledger.now += 5_000
    await settle(createSettled('ana', 2))
    expect(await readLatency()).toEqual({ count: 1, p50: 300, p95: 300, slowest: 300 })
    notify('ana')
    ledger.now += 100
    await settle(createSettled('ana', 3))
    expect(await readLatency()).toEqual({ count: 2, p50: 100, p95: 300, slowest: 300 })
  })

  it('is not measured once a builder has reported the change', async () => {
    const { last } = ledger.standing
    ledger.take((records) => records.update({ claimed: last, published: last }), null)
    await settle(createSettled('ana', 1))
    expect(await readLatency()).toMatchObject({ count: 0 })
  })

  it('is not measured for what was only seen, nor without a notice', async () => {
    await ledger.calls.settle([createSettled('ana', 1)], 'seen')
    await settle(createSettled('eva', 1))
    expect(await readLatency()).toEqual({ count: 0, p50: null, p95: null, slowest: null })
    await settle(createSettled('ana', 2))
    expect(await readLatency()).toMatchObject({ count: 1 })
  })

  it('leaves a change alone that came after the running build’s claim', async () => {
    ledger.take(claimBuild, { builder: 'b', have: null, newLease: 'l' })
    notify('eva')
    await settle(createSettled('ana', 1), createSettled('eva', 1))
    expect(await readLatency()).toMatchObject({ count: 1 })
  })
})
