/** Reading bodies within and beyond the limits. */
import { afterEach, describe, expect, it, vi } from 'vitest'
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
    vi.useFakeTimers()
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
