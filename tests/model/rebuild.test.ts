/** A rebuild keeps its promises in random stories, and in those that random stories seldom tell. */
import { describe, expect, it } from 'vitest'
import { useTemporaryFolder } from '../support/run/temporary.ts'
import { checkStories } from './rebuild/check-stories.ts'
import { playStory } from './rebuild/play.ts'
import type { Attempt, Change, Round, Story } from './rebuild/stories.ts'

const path = useTemporaryFolder()

const ATTEMPT: Attempt = {
  isFull: false,
  sellers: [],
  failing: null,
  fault: null,
  meanwhile: null,
  cut: null,
  isSoon: false,
}
const ROUND: Round = {
  isLater: true,
  changes: [],
  style: 'update',
  attempts: [],
  isUndone: false,
  isExplained: false,
  isFull: false,
}

function round(changes: readonly Change[], ...attempts: readonly Partial<Attempt>[]): Round {
  return { ...ROUND, changes, attempts: attempts.map((one) => ({ ...ATTEMPT, ...one })) }
}

function crowd(size: number, n: number): Change {
  return { kind: 'crowd', size, n }
}

function product(n: number, seller = 'ana', id = 'p1'): Change {
  return { kind: 'product', id, seller, n }
}

function killedAt(at: number): Partial<Attempt> {
  return { fault: { kind: 'kill', at, moment: 'after' } }
}

function range(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step)
}

/** Rejects if a promise is broken. */
function play(source: Story['source'], ...rounds: readonly Round[]): Promise<void> {
  return playStory({ source, rounds }, path('story'))
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
  it('after other code read the same documents', async () => {
    const code = { kind: 'code', version: 1 } as const
    await expect(play('embedded', round([product(1)]), round([code]))).resolves.toBeUndefined()
  })

  it('after a product moved to another seller', async () => {
    const others = [product(1, 'ana', 'p2'), product(1, 'eva', 'p3')]
    const story = play('embedded', round([product(1), ...others]), round([product(1, 'eva')]))
    await expect(story).resolves.toBeUndefined()
  })

  it('after a page of a changed seller failed once', async () => {
    const story = play(
      'folder',
      round([product(1)]),
      round([product(2)], { failing: { seller: 'ana', page: null } }),
    )
    await expect(story).resolves.toBeUndefined()
  })

  // The run before the power cut was too large to force each removal to the disk.
  it.each([20, 40])(
    'after a power cut undid removals and change %i of the next run killed it',
    async (at) => {
      const shrunk = round([crowd(25, 1)], { cut: 'removals' }, killedAt(at))
      await expect(play('folder', round([crowd(30, 0)]), shrunk)).resolves.toBeUndefined()
    },
  )

  it.each(range(1, 9, 1))('after change %i of a run that reads a log killed it', async (at) => {
    const story = play('embedded', round([product(0)]), round([product(1)], killedAt(at)))
    await expect(story).resolves.toBeUndefined()
  })

  it.each(range(8, 40, 4))('after change %i of a run killed it and the data went back', async (at) => {
    for (const change of [product(1), { kind: 'leave', seller: 'ana' } as const]) {
      const killed = { ...round([change], killedAt(at)), isUndone: true }
      const built = round([product(0), product(0, 'eva', 'p2')])
      await expect(play('folder', built, killed)).resolves.toBeUndefined()
    }
  })

  it.each([80, 120, 160])('after change %i of a run that changed many sellers killed it', async (at) => {
    const story = play('folder', round([crowd(18, 0)]), round([crowd(18, 1)], killedAt(at)))
    await expect(story).resolves.toBeUndefined()
  })
})
