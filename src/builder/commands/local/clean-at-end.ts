/** Cleans up what must not outlive this process, even if the process ends, or a signal ends it, before its own clean-up. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** In the order in which they were registered. */
const cleanups = new Set<() => void>()

/**
 * Registers a cleanup, which must be synchronous. The last one registered runs first. Returns a function that withdraws
 * it.
 */
export function cleanAtEnd(clean: () => void): () => void {
  if (cleanups.size === 0) listen()
  cleanups.add(clean)
  return () => {
    cleanups.delete(clean)
    if (cleanups.size === 0) stopListening()
  }
}

function listen(): void {
  process.on('exit', cleanAll)
  // A command that handles these signals cleans up by itself.
  for (const signal of SIGNALS) if (process.listenerCount(signal) === 0) process.once(signal, endBySignal)
}

function stopListening(): void {
  process.off('exit', cleanAll)
  for (const signal of SIGNALS) process.off(signal, endBySignal)
}

function endBySignal(signal: NodeJS.Signals): void {
  // A command that began to handle the signal later cleans up by itself.
  if (process.listenerCount(signal) > 0) return
  cleanAll()
  // Has its usual effect now, since nothing listens any more.
  process.kill(process.pid, signal)
}

function cleanAll(): void {
  for (const clean of [...cleanups].toReversed()) clean()
  cleanups.clear()
}
