/** Parsing the Worker's variables, and the problems reported for invalid ones. */
import { growDelay } from '../../../src/domain/wire/backoff.ts'
import { describe, expect, it } from 'vitest'
import { parseSettings } from '../../../src/edge/coordinator/coordinator-settings.ts'

describe('the settings', () => {
  it('have defaults, also for an empty variable', () => {
    const { settings, problems } = parseSettings({ REBUILD_QUIET_MS: '' })
    expect(settings).toMatchObject({ quiet: 2_000, longestWait: 30_000, lease: 600_000 })
    expect(problems).toEqual([])
  })

  it('are milliseconds', () => {
    const { settings } = parseSettings({ REBUILD_QUIET_MS: '200', DISPATCH_RETRY_MS: 50 })
    expect(settings).toMatchObject({ quiet: 200, dispatchRetry: { first: 50 } })
  })

  it.each(['soon', '-1', '1.5', '86400001', 'NaN', {}])('report an invalid value: %j', (value) => {
    const { settings, problems } = parseSettings({ REBUILD_LEASE_MS: value })
    expect(settings.lease).toBe(600_000)
    expect(problems).toEqual([expect.stringMatching(/^REBUILD_LEASE_MS must be/)])
  })

  it.each(['REBUILD_LEASE_MS', 'PUBLISH_LEASE_MS', 'DISPATCH_START_MS', 'DISPATCH_TIMEOUT_MS'])(
    'report a %s of 0, which would be over at once',
    (name) => {
      const { settings, problems } = parseSettings({ [name]: '0' })
      expect(settings).toEqual(parseSettings({}).settings)
      expect(problems).toEqual([expect.stringMatching(`^${name} must be`)])
    },
  )

  it('accept pauses of 0', () => {
    const { settings, problems } = parseSettings({ REBUILD_QUIET_MS: '0', ALERT_AFTER_MS: 0 })
    expect(settings).toMatchObject({ quiet: 0, alertAfter: 0 })
    expect(problems).toEqual([])
  })

  it('report an invalid secret without quoting it', () => {
    const { problems } = parseSettings({ REBUILD_SECRET: 'hunter2', REBUILD_SECRET_PREVIOUS: '' })
    expect(problems).toEqual([expect.stringMatching(/^REBUILD_SECRET must be whsec_/)])
    expect(problems.join()).not.toContain('hunter2')
  })
})

describe('a delay', () => {
  it('doubles up to the longest, with a jitter of a quarter either way', () => {
    const delay = { first: 100, longest: 1_000 }
    expect([1, 2, 3, 4, 5, 50].map((failures) => growDelay(delay, failures, 0.5))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ])
    expect([0, 1].map((random) => growDelay(delay, 1, random))).toEqual([75, 125])
    expect(growDelay(delay, 0, 0.5)).toBe(100)
  })
})
