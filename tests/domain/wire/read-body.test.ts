/** Reading bodies within and beyond the limits. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBodyRoom } from '../../../src/domain/wire/body-room.ts'
import { readBody } from '../../../src/domain/wire/read-body.ts'

const LIMITS = { size: 10, time: 1_000 }

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  const streamed = body instanceof ReadableStream ? { duplex: 'half' } : {}
  return new Request('http://localhost/', { method: 'POST', body, headers, ...streamed })
}

function stream(
  pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
  cancel = (): void => {},
): ReadableStream {
  return new ReadableStream({ pull, cancel })
}

async function readText(request: Request): Promise<string | number> {
  const body = await readBody(request, LIMITS)
  return typeof body === 'number' ? body : new TextDecoder().decode(body)
}

// The limit of time passes only in the test that says so, however long a machine takes.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a body', () => {
  it('is read whole up to the limit', async () => {
    expect(await readText(post('1234567890'))).toBe('1234567890')
    expect(await readText(post(''))).toBe('')
    expect(await readText(new Request('http://localhost/', { method: 'POST' }))).toBe('')
  })

  it('is read in arriving chunks', async () => {
    const pieces = ['123', '456', '7890']
    const body = stream((controller) => {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(piece))
    })
    expect(await readText(post(body))).toBe('1234567890')
  })

  it('is refused by its declared length without being read', async () => {
    const request = post(
      stream(() => {}),
      { 'content-length': '11' },
    )
    expect(await readText(request)).toBe(413)
    expect(request.bodyUsed).toBe(false)
  })

  it('is refused when it exceeds the limit, and the rest is not read', async () => {
    let pieces = 0
    let isCancelled = false
    const body = stream(
      (controller) => {
        pieces += 1
        controller.enqueue(new Uint8Array(4))
      },
      () => {
        isCancelled = true
      },
    )
    expect(await readText(post(body))).toBe(413)
    expect(pieces).toBeLessThan(8)
    expect(isCancelled).toBe(true)
  })

  it('is refused when it takes too long, even if bytes keep arriving', async () => {
    const body = stream(async (controller) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      controller.enqueue(new Uint8Array(1))
    })
    const answer = readText(post(body))
    await vi.advanceTimersByTimeAsync(999)
    expect(vi.getTimerCount()).toBeGreaterThan(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(await answer).toBe(408)
  })

  it('is refused when it is interrupted', async () => {
    const body = stream((controller) => controller.error(new Error('gone')))
    expect(await readText(post(body))).toBe(408)
  })
})

describe('the room of many bodies', () => {
  const room = createBodyRoom(20)

  /** Begins a body that has sent some bytes and ends when `end` is called. */
  function begin(bytes: number): { readonly end: () => void; readonly answer: Promise<string | number> } {
    let end = (): void => {}
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new Uint8Array(bytes).fill(97))
        end = () => controller.close()
      },
    })
    const answer = readBody(post(body), LIMITS, room).then((read) =>
      typeof read === 'number' ? read : new TextDecoder().decode(read),
    )
    return { end, answer }
  }

  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

  it('drops those that began first, when more arrive, and never a small one that arrives at once', async () => {
    const slow = Array.from({ length: 5 }, () => begin(9))
    await settle()
    expect(await readBody(post('abc'), LIMITS, room)).toEqual(new TextEncoder().encode('abc'))
    for (const { end } of slow) end()
    const answers = await Promise.all(slow.map(({ answer }) => answer))
    expect(answers).toEqual([503, 503, 503, 503, 'aaaaaaaaa'])
  })

  it('is free again when they have ended in any way', async () => {
    const two = [begin(10), begin(10)]
    await settle()
    for (const { end } of two) end()
    expect(await Promise.all(two.map(({ answer }) => answer))).toEqual(['aaaaaaaaaa', 'aaaaaaaaaa'])
  })

  it('counts the memory of a body that comes in small pieces', async () => {
    const pieces = Array.from({ length: 9 }, () => 1)
    const body = stream((controller) => {
      if (pieces.pop() === undefined) controller.close()
      // One byte of a large piece of memory.
      else controller.enqueue(new Uint8Array(new ArrayBuffer(4_096), 0, 1).fill(98))
    })
    const read = await readBody(post(body), LIMITS, room)
    expect(typeof read === 'number' ? read : [read.length, read.buffer.byteLength]).toEqual([9, 16])
  })
})
