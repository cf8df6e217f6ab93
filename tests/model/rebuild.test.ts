/** A rebuild keeps its promises in random stories, and in those that random stories seldom tell. */
import { describe, expect, it } from 'vitest'
import { useTemporaryFolder } from '../support/run/temporary.ts'
import { checkStories } from './rebuild/check-stories.ts'
import { playStory } from './rebuild/play.ts'
import type { Attempt, Change, Round } from './rebuild/stories.ts'

const path = useTemporaryFolder()

const PLAIN = { isFull: false, isVerify: false, sellers: [] }
const ATTEMPT: Attempt = { ...PLAIN, failing: null, fault: null, cut: null }
const ROUND: Round = {
  isLater: true,
  changes: [],
  style: 'update',
  attempts: [],
  isUndone: false,
  last: PLAIN,
}

function round(changes: readonly Change[], ...attempts: readonly Partial<Attempt>[]): Round {
  return { ...ROUND, changes, attempts: attempts.map((one) => ({ ...ATTEMPT, ...one })) }
}

function crowd(size: number, n: number): Change {
  return { kind: 'crowd', size, n }
}

function seller(n: number): Change {
  return { kind: 'product', id: 'p1', seller: 'ana', n }
}

function range(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step)
}

/** Rejects if a promise is broken. */
function play(...rounds: readonly Round[]): Promise<void> {
  return playStory({ source: 'folder', rounds }, path('story'))
}

it('makes the site of a clean build in random stories', async () => {
  const stories = Number(process.env['VITRINA_STORIES'] ?? 60)
  const seed = Number(process.env['VITRINA_SEED'] ?? 42)
  const progress = (done: number): void => {
    if (stories > 60 && done % 50 === 0) process.stderr.write(`${done} of ${stories} stories\n`)
  }
  await expect(checkStories({ stories, seed, progress })).resolves.toBeUndefined()
})

describe('a site equals a clean build', () => {
  // The run before the power cut was too large to force each removal to the disk.
  it.each([20, 40])(
    'after a power cut undid removals and change %i of the next run killed it',
    async (at) => {
      const killed = { fault: { kind: 'kill', at, moment: 'after' } } as const
      const story = play(round([crowd(30, 0)]), round([crowd(25, 1)], { cut: 'removals' }, killed))
      await expect(story).resolves.toBeUndefined()
    },
  )

  it.each(range(8, 40, 4))('after change %i of a run killed it and the data went back', async (at) => {
    const built = round([seller(0)])
    const killed = round([seller(1)], { fault: { kind: 'kill', at, moment: 'after' } })
    await expect(play(built, { ...killed, isUndone: true })).resolves.toBeUndefined()
  })
})
