/** Working off the queue: the pictures for shared links of sellers, whatever time it takes to look at all sellers. */
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import type { Pictures } from '../../../src/builder/pictures/pictures.ts'
import { openPictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { createStoredPictures } from '../../../src/builder/pictures/stored-pictures.ts'
import { LONGEST_TIME } from '../../support/run/longest-time.ts'

const LIMITS = { time: LONGEST_TIME, accepts: null }

let pictures: Pictures
beforeEach(() => {
  pictures = createStoredPictures({
    store: openPictureStore(':memory:', expect.unreachable),
    hosts: { names: [], origins: [] },
    readPublicFile: () => null,
    brand: 'Vitrina',
    now: Date.now,
    patience: LONGEST_TIME,
    makesPreviews: false,
  })
})

function* create(sellers: Iterable<string>): Generator<Catalogue> {
  for (const seller of sellers) yield { seller, name: seller, whatsapp: null, products: [] }
}

/** Returns a function that lets time pass for the signals of `AbortSignal.timeout`. They then know no other time. */
function holdTimeouts(): (ms: number) => void {
  const timeouts: { readonly end: number; readonly controller: AbortController }[] = []
  let now = 0
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    timeouts.push({ end: now + ms, controller })
    return controller.signal
  })
  onTestFinished(() => timeout.mockRestore())
  return (ms) => {
    now += ms
    for (const { end, controller } of timeouts) if (end <= now) controller.abort()
  }
}

it('draws for the last seller even if looking at all sellers takes longer than the time for drawing', async () => {
  await pictures.workOff(() => create(['ana']), LIMITS)
  const pass = holdTimeouts()
  function* walk(): Generator<Catalogue> {
    yield* create(['ana'])
    pass(LONGEST_TIME)
    yield* create(['sol'])
  }
  const worked = await pictures.workOff((sellers) => (sellers ? create(sellers) : walk()), LIMITS)
  expect(worked).toEqual({ processed: 1, waiting: 0, isDone: true })
  expect(await pictures.workOff(() => create(['ana', 'sol']), LIMITS)).toMatchObject({ processed: 0 })
})

it('counts the sellers for whom no time is left', async () => {
  const pass = holdTimeouts()
  function* readLate(sellers: Iterable<string>): Generator<Catalogue> {
    pass(LONGEST_TIME)
    yield* create(sellers)
  }
  const all = ['ana', 'luz', 'sol']
  const worked = await pictures.workOff((sellers) => (sellers ? readLate(sellers) : create(all)), LIMITS)
  expect(worked).toEqual({ processed: 0, waiting: 3, isDone: false })
})

it('lets timers and requests have their turn while it looks at many sellers', async () => {
  await pictures.workOff(() => create(['ana']), LIMITS)
  let isTurned = false
  let sawTurn = false
  function* walk(): Generator<Catalogue> {
    setImmediate(() => void (isTurned = true))
    yield* create(Array.from({ length: 1_000 }, () => 'ana'))
    sawTurn = isTurned
  }
  await pictures.workOff((sellers) => (sellers ? create(sellers) : walk()), LIMITS)
  expect(sawTurn).toBe(true)
})
