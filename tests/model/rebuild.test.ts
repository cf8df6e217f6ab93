/** A rebuild keeps its promises in random stories, and in those that random stories seldom tell. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useTemporaryFolder } from '../support/run/temporary.ts'
import { playStory } from './rebuild/play.ts'
import type { Attempt, Change, Round, Settings, Story } from './rebuild/stories.ts'
import { STORIES as RANDOM_STORIES } from './rebuild/stories.ts'

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

function picture(n: number): Change {
  return { kind: 'picture', n }
}

function setting(name: keyof Settings, value: number): Change {
  return { kind: 'setting', name, value }
}

function failing(seller: string): Partial<Attempt> {
  return { failing: { seller, page: null } }
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

it('rebuilds make the site of a clean build in random stories', async () => {
  const stories = Number(process.env['VITRINA_STORIES'] ?? 60)
  const seed = Number(process.env['VITRINA_SEED'] ?? 42)
  let done = 0
  const property = fc.asyncProperty(RANDOM_STORIES, async (story) => {
    await playStory(story, path('story'))
    done += 1
    if (stories > 60 && done % 50 === 0) process.stderr.write(`${done} of ${stories} stories\n`)
  })
  await expect(fc.assert(property, { numRuns: stories, seed })).resolves.toBeUndefined()
})

/** Stories that random ones seldom tell, each of a rule that a site breaks without it. */
const STORIES: Readonly<Record<string, readonly [Story['source'], ...Round[]]>> = {
  'other code read the same documents': [
    'embedded',
    round([product(1)]),
    round([{ kind: 'code', version: 1 }]),
  ],
  'a product moved to another seller': [
    'embedded',
    round([product(1), product(1, 'ana', 'p2'), product(1, 'eva', 'p3')]),
    round([product(1, 'eva')]),
  ],
  'a product moved, of which a coordinator named both owners': [
    'named',
    round([product(1), product(1, 'ana', 'p2'), product(1, 'eva', 'p3')]),
    round([product(1, 'eva')]),
  ],
  'a page of a changed seller failed once': [
    'folder',
    round([product(1)]),
    round([product(2)], failing('ana')),
  ],
  'a page failed under other code, whose older inline code is still shown': [
    'folder',
    round([product(1)]),
    round([{ kind: 'code', version: 1 }], failing('ana'), { ...killedAt(9), isSoon: true }),
  ],
  'a failing seller was left out of lists, and recovered without a change': [
    'embedded',
    round([product(1), product(1, 'eva', 'p2')]),
    round([product(2)], failing('ana'), { isSoon: true }),
  ],
  'a failing seller left': [
    'embedded',
    round([product(1), product(1, 'eva', 'p2')]),
    round([product(2)], failing('ana')),
    round([{ kind: 'leave', seller: 'ana' }]),
  ],
  'an older output folder and a newer state met': [
    'embedded',
    round([product(1)]),
    round([product(2)]),
    round([{ kind: 'restore', parts: ['dist'], n: 0 }]),
  ],
  'a copy of a run that was cut off came back': [
    'embedded',
    round([product(1)]),
    round([product(2), crowd(9, 1)], killedAt(30)),
    round([{ kind: 'restore', parts: ['dist', 'state'], n: 1 }]),
  ],
  'an older state met a source whose log went on': [
    'embedded',
    round([product(1)]),
    round([product(2)]),
    round([product(5), { kind: 'restore', parts: ['dist', 'state'], n: 0 }]),
  ],
  'a log of changes was pruned, and a restored source changed again': [
    'embedded',
    round([product(1)]),
    round([product(2), { kind: 'prune', left: 0 }]),
    round([{ kind: 'restore', parts: ['source'], n: 0 }]),
    round([product(4)]),
  ],
  'a state was lost while a seller left': [
    'folder',
    round([product(1), product(1, 'eva', 'p2')]),
    round([
      { kind: 'lose', parts: ['state'] },
      { kind: 'leave', seller: 'eva' },
    ]),
  ],
  'a picture arrived, came again, and its store was lost': [
    'folder',
    round([product(1), product(2, 'eva', 'p2')]),
    round([picture(0), picture(1)]),
    round([picture(1)], { meanwhile: { at: 20, change: picture(1) } }),
    round([{ kind: 'lose', parts: ['pictures'] }]),
  ],
  'an older site came back beside its pictures, of which others came meanwhile': [
    'embedded',
    round([product(1)]),
    round([{ kind: 'leave', seller: 'ana' }]),
    round([picture(0), picture(1), { kind: 'restore', parts: ['dist', 'state', 'source'], n: 0 }]),
  ],
  'a setting changed while the code was compiled, and changed back': [
    'folder',
    round([product(1)], { meanwhile: { at: 0, change: setting('name', 1) } }),
    round([setting('name', 0)]),
  ],
  'the code changed while it was compiled': [
    'folder',
    round([product(1)]),
    round([{ kind: 'code', version: 1 }], { meanwhile: { at: 0, change: { kind: 'code', version: 2 } } }),
    round([{ kind: 'code', version: 1 }]),
  ],
  'a power cut followed a run that repaired one that was cut off': [
    'folder',
    { ...round([product(1)], killedAt(18), {}, { cut: 'everything' }), isLater: false },
  ],
  'a power cut lost a removed file whose folder was not forced': [
    'folder',
    round([product(1), product(1, 'eva', 'p2')]),
    { ...round([{ kind: 'leave', seller: 'eva' }], { cut: 'removals' }), isLater: false },
  ],
}

describe('a site equals a clean build', () => {
  it.each(Object.entries(STORIES))('after %s', async (_, [source, ...rounds]) => {
    await expect(play(source, ...rounds)).resolves.toBeUndefined()
  })

  // A power cut may tear the marker itself: the folder is not refused.
  it.each(range(1, 12, 1))('after a power cut at change %i of a first run', async (at) => {
    for (const cut of ['everything', 1, 2] as const) {
      const story = play('folder', round([product(1)], { ...killedAt(at), cut }))
      await expect(story).resolves.toBeUndefined()
    }
  })

  // Pages, lists and removals come in an order in which no page lacks anything.
  it.each(range(1, 90, 4))(
    'after change %i of a run that renames, moves and removes killed it',
    async (at) => {
      const built = round([product(1), product(1, 'eva', 'p2'), product(1, 'a b', 'p3'), picture(1)])
      const changes = [
        product(1, 'eva'),
        { kind: 'leave', seller: 'a b' },
        { kind: 'code', version: 1 },
        picture(1),
      ] as const
      await expect(play('embedded', built, round(changes, killedAt(at)))).resolves.toBeUndefined()
    },
  )

  // What was read is not taken as written, and a picture comes before the pages that show it.
  it.each(range(2, 18, 2))('after change %i of a run for one product or picture killed it', async (at) => {
    for (const change of [product(2), picture(1)])
      await expect(
        play('folder', round([product(1)]), round([change], killedAt(at))),
      ).resolves.toBeUndefined()
  })

  it.each(range(8, 40, 8))('after change %i of a run killed it and the data went back', async (at) => {
    for (const change of [product(1), { kind: 'leave', seller: 'ana' } as const]) {
      const killed = { ...round([change], killedAt(at)), isUndone: true }
      const built = round([product(0), product(0, 'eva', 'p2')])
      await expect(play('folder', built, killed)).resolves.toBeUndefined()
    }
  })

  it.each(range(32, 48, 4))(
    'after change %i of a run that removed a page and its assets killed it',
    async (at) => {
      const changes = [
        { kind: 'code', version: 1 },
        { kind: 'setting', name: 'search', value: 1 },
      ] as const
      await expect(play('embedded', round([]), round(changes, killedAt(at)))).resolves.toBeUndefined()
    },
  )

  it.each([80, 160])('after change %i of a run that changed many sellers killed it', async (at) => {
    const story = play('folder', round([crowd(18, 0)]), round([crowd(18, 1)], killedAt(at)))
    await expect(story).resolves.toBeUndefined()
  })
})
