/** Describes in a few words why a `fetch` got no answer. */

/** `timeout` is the time limit of the call, in milliseconds. */
export function describeFailedFetch(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer in ${Math.max(1, Math.round(timeout / 1000))} s`
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
}
