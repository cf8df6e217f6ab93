/** Following Firestore: the end of a watch before the first documents arrive, and listeners that fail. */
import type { Firestore, QuerySnapshot } from 'firebase-admin/firestore'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { followFirestore } from '../../../src/builder/sources/firestore/follow-firestore.ts'

interface Listener {
  readonly next: (snapshot: QuerySnapshot) => void
  readonly fail: (error: Error) => void
}

const fake = { listeners: [] as Listener[], isClosed: false, opening: Promise.resolve() }

async function openFake() {
  await fake.opening
  const onSnapshot = (next: Listener['next'], fail: Listener['fail']) => {
    fake.listeners.push({ next, fail })
    return () => {}
  }
  const database = { collection: () => ({ onSnapshot }) } as unknown as Firestore
  return { database, close: () => void (fake.isClosed = true) }
}

const OPTIONS = { projectId: 'demo', emulatorHost: null, credentialsFile: null }
const NOTHING = { docChanges: () => [] } as unknown as QuerySnapshot

let end = new AbortController()
let troubles: string[] = []
let changes: (readonly string[] | null)[] = []

beforeEach(() => {
  end = new AbortController()
  troubles = []
  changes = []
  Object.assign(fake, { listeners: [], isClosed: false, opening: Promise.resolve() })
})
afterEach(() => end.abort())

const follow = () =>
  followFirestore(
    OPTIONS,
    {
      signal: end.signal,
      onChange: (sellers) => void changes.push(sellers),
      onTrouble: (message) => troubles.push(message),
    },
    openFake,
  )
const untilListening = (count: number) => expect.poll(() => fake.listeners).toHaveLength(count)

it('ends when the watch ends, also before the first documents have arrived', async () => {
  const following = follow()
  await untilListening(2)
  end.abort()
  await following
  expect(fake.isClosed).toBe(true)
})

it('closes a client that was opened while the watch ended, and listens to nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  fake.opening = promise
  const following = follow()
  end.abort()
  resolve()
  await following
  expect(fake).toMatchObject({ isClosed: true, listeners: [] })
})

it('waits longer after each failure, until a listener works; only then the source is to be read', async () => {
  const following = follow()
  await untilListening(2)
  const fail = (): void => fake.listeners.at(-1)?.fail(new Error('PERMISSION_DENIED: Bearer ya29.secret'))
  fake.listeners[0]?.next(NOTHING)
  for (const count of [3, 4]) {
    fail()
    await untilListening(count)
  }
  await following
  expect(changes).toEqual([])
  fake.listeners.at(-1)?.next(NOTHING)
  await expect.poll(() => changes).toEqual([null])
  fail()
  expect(troubles.map((text) => /in (\d+) s$/.exec(text)?.[1])).toEqual(['1', '2', '1'])
  expect(troubles.join()).toContain('PERMISSION_DENIED')
  expect(troubles.join()).not.toContain('secret')
})
