/** `npm start` survives its runtime, which ends when files vanish while it lists them. */
import { expect, it } from 'vitest'
import { keepEdge } from '../../../../src/builder/commands/local/keep-edge.ts'
import type { Edge } from '../../../../src/builder/commands/local/local-edge.ts'
import { EdgeError } from '../../../../src/builder/commands/local/local-edge.ts'

/** Creates runtimes that end when `die` is called. */
function createRuntimes() {
  const started: { readonly edge: Edge; readonly die: () => void; isClosed: boolean }[] = []
  const start = (): Edge => {
    const { promise: ended, resolve: die } = Promise.withResolvers<void>()
    const close = async (): Promise<void> => {
      runtime.isClosed = true
      die()
    }
    const edge = { origin: '', ended, close, kill: close, readOutput: () => 'ENOENT: a.html' }
    const runtime = { edge, die, isClosed: false }
    started.push(runtime)
    return edge
  }
  return { started, start }
}

function keep(onStart: (count: number) => void = () => {}) {
  const { started, start } = createRuntimes()
  const end = new AbortController()
  const told: string[] = []
  let time = 0
  const kept = keepEdge(start(), {
    start: async () => {
      const edge = start()
      onStart(started.length)
      return edge
    },
    warn: (line) => void told.push(line),
    end: end.signal,
    now: () => time,
  })
  return { started, told, kept, end, pass: (ms: number) => void (time += ms) }
}

it('starts a runtime that ended again, and closes the last one at the end', async () => {
  const { started, told, kept, end, pass } = keep()
  for (let round = 0; round < 9; round += 1) {
    pass(60_000)
    started[round]?.die()
    await expect.poll(() => started.length, { interval: 1 }).toBe(round + 2)
    // A process that it left behind may hold the port.
    expect(started[round]?.isClosed).toBe(true)
  }
  expect(told).toHaveLength(9)
  end.abort()
  await kept
  expect(started.at(-1)?.isClosed).toBe(true)
})

it('gives up with what the runtime said when it ends again and again', async () => {
  const { started, kept } = keep(() => started.at(-1)?.die())
  started[0]?.die()
  await expect(kept).rejects.toThrow(/ended 5 times in a minute[^]*ENOENT: a\.html/)
  expect(started.every(({ isClosed }) => isClosed)).toBe(true)
})

it('tries again when a runtime does not start, a few times', async () => {
  let count = 0
  const { started, kept, end } = keep(() => {
    if ((count += 1) < 3) throw new EdgeError('did not start')
  })
  started[0]?.die()
  await expect.poll(() => count, { interval: 1 }).toBe(3)
  end.abort()
  await kept
})
