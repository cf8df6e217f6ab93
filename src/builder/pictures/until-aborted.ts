/** Awaits work that cannot be cancelled, but rejects with the signal's reason as soon as the signal aborts. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  work.catch(() => {})
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}
