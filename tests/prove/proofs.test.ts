/** A little of each proof; the programs (`npm run prove:…`) do much more of the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { proveCrash } from './crash.ts'
import { findDifference } from './equivalence.ts'
import { proveFaults } from './faults.ts'
import type { Lanes } from './lanes.ts'
import { openLanes } from './lanes.ts'
import { SCENARIOS } from './scenarios.ts'
import type { OpenStage } from './stage.ts'
import { openStage } from './stage.ts'

const silent = (): void => {}
const PATIENCE = 180_000
/** Those in which the most goes on. */
const FEW = SCENARIOS.filter(({ name }) => ['data', 'compile'].includes(name))

describe('whatever happens to data, code and state', () => {
  let stage: OpenStage
  beforeAll(async () => {
    stage = await openStage(silent, 2)
  }, PATIENCE)
  afterAll(() => stage.close())

  it(
    'a rebuild gives what a clean build gives',
    async () => {
      const options = { sequences: 5, seed: 42, shrinking: 10_000, progress: silent }
      expect(await findDifference(stage, options)).toBeNull()
    },
    PATIENCE,
  )
})

describe('the command', () => {
  let lanes: Lanes
  beforeAll(async () => {
    lanes = await openLanes(2, silent)
  }, PATIENCE)
  afterAll(() => lanes.close())

  it(
    'leaves whole files when it is killed, and puts everything right when it runs again',
    async () => {
      const options = { scenarios: FEW, kills: 12, steps: 4, seed: 7, progress: silent }
      expect(await proveCrash(lanes, options)).toMatchObject({ steps: 8, instants: 4 })
    },
    PATIENCE,
  )

  it(
    'says what failed on a disk or in a database, and puts everything right when it runs again',
    async () => {
      const options = { scenarios: FEW.slice(0, 1), every: 60, progress: silent }
      const { faults } = await proveFaults(lanes, options)
      expect(faults).toBeGreaterThan(5)
    },
    PATIENCE,
  )
})
