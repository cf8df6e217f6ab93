/** Reports stay within the limits of the coordinator for any failures. */
import { describe, expect, it } from 'vitest'
import { LARGEST_BODY, parseBody } from '../../../src/domain/wire/call.ts'
import { COORDINATOR_CALLS, MAX_FAILED, MAX_REASON, MAX_STRANGERS } from '../../../src/domain/wire/calls.ts'
import { createBuildReport } from '../../../src/domain/wire/build-report.ts'

const BUILD = { lease: 'lease', upTo: 7 }

function fail(count: number, seller = 'seller'): readonly { seller: string; reason: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    seller: `${seller}-${index}`,
    reason: 'x'.repeat(1_000),
  }))
}

describe('a report', () => {
  it('lists each failed page with a reason of bounded length', () => {
    expect(createBuildReport({ ...BUILD, failed: [] })).toEqual({ ...BUILD, failed: [] })
    const [failed] = fail(1)
    expect(createBuildReport({ ...BUILD, failed: fail(1) })).toEqual({
      ...BUILD,
      failed: [{ ...failed, reason: 'x'.repeat(MAX_REASON) }],
    })
  })

  it.each([
    ['number', fail(MAX_FAILED + 1)],
    ['length', fail(MAX_FAILED, 'ñ'.repeat(120))],
  ])('reports the build as failed when the %s of failures is too large', (_, failed) => {
    const report = createBuildReport({ ...BUILD, failed })
    expect(report).toMatchObject({
      lease: 'lease',
      error: expect.stringContaining(`${failed.length} sellers`),
    })
  })

  it('leaves out what is known of strangers if it does not fit', () => {
    const numbers = Array.from({ length: MAX_STRANGERS }, (_, index) => 9_000_000 + index)
    const strangers = { known: numbers.slice(0, 9), absent: numbers.slice(9) }
    const report = createBuildReport({ ...BUILD, failed: [], strangers })
    expect(report).toEqual({ ...BUILD, failed: [], strangers })
    expect(parseBody(COORDINATOR_CALLS.report.body, report)).toEqual(report)
    expect(createBuildReport({ ...BUILD, failed: fail(200), strangers })).toEqual(
      createBuildReport({ ...BUILD, failed: fail(200) }),
    )
  })

  it('is always accepted by the parser of the coordinator', () => {
    for (const failed of [
      fail(1),
      fail(200),
      fail(MAX_FAILED),
      fail(5_000),
      fail(MAX_FAILED, 'ñ'.repeat(120)),
    ]) {
      const report = createBuildReport({ ...BUILD, failed })
      expect(parseBody(COORDINATOR_CALLS.report.body, report)).toEqual(report)
      expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThanOrEqual(LARGEST_BODY)
    }
  })
})
