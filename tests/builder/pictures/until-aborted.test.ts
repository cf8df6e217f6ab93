import { expect, it } from 'vitest'
import { untilAborted } from '../../../src/builder/pictures/until-aborted.ts'

const never = new Promise<never>(() => {})

it('returns the result of the work', async () => {
  const { signal } = new AbortController()
  await expect(untilAborted(Promise.resolve(5), signal)).resolves.toBe(5)
  await expect(untilAborted(Promise.reject(new Error('no work')), signal)).rejects.toThrow('no work')
})

it('rejects with the reason of the signal while the work goes on', async () => {
  const end = new AbortController()
  const waiting = untilAborted(never, end.signal)
  end.abort(new Error('no time'))
  await expect(waiting).rejects.toThrow('no time')
})

it('rejects at once if the signal has already aborted', async () => {
  await expect(untilAborted(never, AbortSignal.abort(new Error('no time')))).rejects.toThrow('no time')
})
