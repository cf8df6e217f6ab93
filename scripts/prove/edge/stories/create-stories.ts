/** Creates random stories from single happenings and from scenes, which are sequences of happenings. */
import fc from 'fast-check'
import { drawOne } from '../../draw.ts'
import type { EdgeHappening, EdgeStory, WeightedHappening } from './happenings.ts'
import { CENTERS, CHANGES, CRASH, HAPPENINGS } from './happenings.ts'
import { createChangeScene, SLOW_READ } from './scenes.ts'

/** A scene with its weight, relative to `SINGLE`, the total weight of single happenings. */
type WeightedScene = readonly [weight: number, scene: fc.Arbitrary<readonly EdgeHappening[]>]

const SINGLE = 100
const SEEN: WeightedScene = [1, SLOW_READ]
/** Weight of the scenes in which the Worker renders a change. */
const CHANGED = 6

/** If crashes are expensive, only one of `FEW` stories on average may have crashes. */
const FEW = 30

export function createStories(length: number, areCrashesCheap: boolean): fc.Arbitrary<EdgeStory> {
  const withCrashes = createKinds([...HAPPENINGS, CRASH], length, true)
  if (areCrashesCheap) return withCrashes
  return drawOne([FEW - 1, createKinds(HAPPENINGS, length, false)], [1, withCrashes])
}

function createKinds(
  weighted: readonly WeightedHappening[],
  length: number,
  hasCrashes: boolean,
): fc.Arbitrary<EdgeStory> {
  const scenes: readonly WeightedScene[] = [SEEN, [CHANGED, createChangeScene(hasCrashes)]]
  return fc.oneof(
    createStoriesOf(weighted, [SEEN], length).map((story) => ({ ...story, isQueued: false })),
    createStoriesOf([...weighted, ...CHANGES], scenes, length).map((story) => ({
      ...story,
      isQueued: true,
    })),
  )
}

function createStoriesOf(
  weighted: readonly WeightedHappening[],
  scenes: readonly WeightedScene[],
  length: number,
): fc.Arbitrary<Omit<EdgeStory, 'isQueued'>> {
  const single: WeightedScene = [SINGLE, drawOne(...weighted).map((one) => [one])]
  const parts = fc.array(drawOne(single, ...scenes), { maxLength: length, size: 'max' })
  return fc.record({
    isFilled: fc.boolean(),
    isShared: fc.boolean(),
    deaf: fc.subarray([...CENTERS]),
    happenings: parts.map((all) => all.flat()),
  })
}
