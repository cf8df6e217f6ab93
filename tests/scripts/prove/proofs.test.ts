/** A little of each proof; the programs (`npm run prove:…`) do much more of the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SETTING_DEFAULTS } from '../../../src/builder/commands/settings.ts'
import { Difference } from '../../../scripts/prove/difference.ts'
import { proveCrash } from '../../../scripts/prove/faults/crash.ts'
import { findBrokenPromise } from '../../../scripts/prove/coordinator/play-story.ts'
import { findDifference } from '../../../scripts/prove/equivalence/play.ts'
import { findMountProblem } from '../../../scripts/prove/power/disk.ts'
import { proveFaults } from '../../../scripts/prove/faults/faults.ts'
import { provePower } from '../../../scripts/prove/power/power.ts'
import { createPowerScenarios } from '../../../scripts/prove/power/power-scenarios.ts'
import { PLAYED_SETTINGS, UNPLAYED_SETTINGS } from '../../../scripts/prove/site/played-settings.ts'
import type { Sandboxes } from '../../../scripts/prove/faults/sandboxes.ts'
import { openSandboxes, runInSandbox } from '../../../scripts/prove/faults/sandboxes.ts'
import { SCENARIOS } from '../../../scripts/prove/faults/scenarios.ts'
import { checkDocuments } from '../../../scripts/prove/seller/check-documents.ts'
import { findHarm } from '../../../scripts/prove/seller/play-story.ts'
import type { Stage } from '../../../scripts/prove/site/stage.ts'
import { openStage } from '../../../scripts/prove/site/stage.ts'
import { ensureCompiled } from '../../support/rebuild/sample-renderer.ts'

// The present code is one of the variants.
beforeAll(ensureCompiled)

const silent = (): void => {}
/** Data and code change, and the code is compiled. */
const COMPILE = SCENARIOS.filter(({ name }) => name === 'compile')
const DATA = SCENARIOS.filter(({ name }) => name === 'data')

describe('whatever happens to data, code and state', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ count: 2, progress: silent })
  })
  afterAll(() => stage.close())

  it('a rebuild gives what a clean build gives', async () => {
    const options = { count: 1, seed: 42, shrinking: 10_000, progress: silent }
    expect(await findDifference(stage, options)).toBeNull()
  })

  it('a hostile seller harms no other one', async () => {
    const options = { count: 1, seed: 42, large: 1_000, shrinking: 10_000, progress: silent }
    expect(await findHarm(stage, options)).toBeNull()
  })

  it('each hostile document is shown or named, and its texts are where they are meant to be', async () => {
    const figures = await checkDocuments(stage, { documents: 250, seed: 42, progress: silent })
    expect(figures.texts).toBeGreaterThan(2_000)
  })

  it('every setting that a page may depend on is played', () => {
    expect([...PLAYED_SETTINGS, ...UNPLAYED_SETTINGS].sort()).toEqual(Object.keys(SETTING_DEFAULTS).sort())
  })
})

it('the coordinator loses nothing that was announced, and lets nothing older go live', async () => {
  const options = { count: 50, seed: 42, shrinking: 10_000, progress: silent }
  expect(await findBrokenPromise(options)).toBeNull()
})

/** More files than a run syncs one by one. */
const CUT = createPowerScenarios(20).filter(({ name }) => name === 'new seller')
const mountProblem = findMountProblem()

describe('the command', () => {
  let sandboxes: Sandboxes
  beforeAll(async () => {
    sandboxes = await openSandboxes({ width: 2, progress: silent })
  })
  afterAll(() => sandboxes.close())

  it('leaves whole files when it is killed, and puts everything right when it runs again', async () => {
    const options = { scenarios: COMPILE, kills: 2, steps: 1, seed: 7, progress: silent }
    expect(await proveCrash(sandboxes, options)).toMatchObject({ steps: 1, instants: 1 })
  })

  it('says what failed on a disk or in a database, and puts everything right when it runs again', async () => {
    const options = { scenarios: DATA, every: 400, progress: silent }
    const { faults } = await proveFaults(sandboxes, options)
    expect(faults).toBeGreaterThan(1)
  })

  it('is not blamed for a run that takes too long on a slow machine', async () => {
    const [sandbox] = sandboxes.all
    const [data] = DATA
    if (sandbox === undefined || data === undefined) throw new Error('there is no sandbox, or no scenario')
    const error = await runInSandbox(sandbox, data.next, { patience: 1 }).catch((reason: unknown) => reason)
    expect(String(error)).toContain('Nothing was proved: a run did not end within 0.001 s')
    expect(error).not.toBeInstanceOf(Difference)
  })

  it.skipIf(mountProblem !== null)(
    `puts everything right after a power cut${mountProblem === null ? '' : ` (no disk image can be mounted here: ${mountProblem})`}`,
    async () => {
      const [sandbox] = sandboxes.all
      if (sandbox === undefined) throw new Error('there is no sandbox')
      const options = { scenarios: CUT, cuts: 1, seed: 7, window: 500, progress: silent }
      const { during, after } = await provePower(sandbox, options)
      expect(during + after).toBe(1)
    },
  )
})
