/** Decides which photo is fetched next. Hosts take turns, so that a slow or silent host does not delay other hosts. */

interface HostTurns<T> {
  /**
   * Returns the next item, `null` if no item may start until another one ends, or `done` after the last item. An item
   * with `isSkipped` must not be started, because its host is silent.
   */
  take(): { readonly item: T; readonly isSkipped: boolean } | null | 'done'
  /** Must be called once for each item that was taken and not skipped. `isLate`: the host of the item timed out. */
  end(item: T, isLate: boolean): void
}

interface Host<T> {
  readonly waiting: T[]
  running: number
  /** Number of consecutive timeouts. */
  late: number
  hasAnswered: boolean
  /** True once the one extra try of a silent host has started. */
  isTriedLast: boolean
}

/**
 * Max photos of one host in progress at once. Until the host first responds, the max is `MOST_UNKNOWN` minus the number
 * of its timeouts.
 */
const MOST = 4
const MOST_UNKNOWN = 2

/** A host counts as silent after this number of consecutive timeouts. It gets one more try, after all other hosts. */
const SILENT = 2

/**
 * `findHost` returns the name of an item's host, or `null` for an item without a host, which may start at any time.
 * `findTurn` returns an item's turn, a number: if items of several hosts may start, the item with the lowest turn
 * starts first. `items` must list each host's items in ascending order of turn.
 */
export function createHostTurns<T>(
  items: Iterable<T>,
  findHost: (item: T) => string | null,
  findTurn: (item: T) => number = () => 0,
): HostTurns<T> {
  const hosts = new Map<string | null, Host<T>>()
  const findOwn = (item: T): Host<T> => {
    const name = findHost(item)
    const host = hosts.get(name) ?? {
      waiting: [],
      running: 0,
      late: 0,
      hasAnswered: name === null,
      isTriedLast: false,
    }
    hosts.set(name, host)
    return host
  }
  for (const item of items) findOwn(item).waiting.push(item)
  // Reversed, because `pop` takes items from the end.
  for (const { waiting } of hosts.values()) waiting.reverse()
  const find = (mayStart: (host: Host<T>) => boolean): T | undefined => {
    const host = chooseHost(hosts.values(), findTurn, mayStart)
    const item = host?.waiting.pop()
    if (host === undefined || item === undefined) return undefined
    // Moves the host to the end of the map, so that other hosts come first if their turns are equal.
    hosts.delete(findHost(item))
    hosts.set(findHost(item), host)
    return item
  }
  const isIdle = (): boolean => [...hosts.values()].every(({ running }) => running === 0)
  const start = (item: T): { item: T; isSkipped: boolean } => {
    findOwn(item).running += 1
    return { item, isSkipped: false }
  }
  return {
    take: () => {
      const own = hosts.get(null)
      const item = find(
        (host) =>
          host === own ||
          (host.late < SILENT && host.running < (host.hasAnswered ? MOST : MOST_UNKNOWN - host.late)),
      )
      if (item !== undefined) return start(item)
      const skipped = find(({ late, isTriedLast, running }) => late >= SILENT && isTriedLast && running === 0)
      if (skipped !== undefined) return { item: skipped, isSkipped: true }
      if ([...hosts.values()].every(({ waiting }) => waiting.length === 0)) return 'done'
      const last = isIdle() ? find(() => true) : undefined
      if (last === undefined) return null
      findOwn(last).isTriedLast = true
      return start(last)
    },
    end: (item, isLate) => {
      const host = findOwn(item)
      host.running -= 1
      host.late = isLate ? host.late + 1 : 0
      if (isLate) return
      host.hasAnswered = true
      host.isTriedLast = false
    },
  }
}

/** Returns the host whose next item has the lowest turn, among the hosts that `mayStart` accepts. */
function chooseHost<T>(
  hosts: Iterable<Host<T>>,
  findTurn: (item: T) => number,
  mayStart: (host: Host<T>) => boolean,
): Host<T> | undefined {
  let chosen: Host<T> | undefined
  let lowest = Infinity
  for (const host of hosts) {
    const next = host.waiting.at(-1)
    if (next === undefined || findTurn(next) >= lowest || !mayStart(host)) continue
    chosen = host
    lowest = findTurn(next)
  }
  return chosen
}
