/** Carries out tasks in lanes side by side; the first error ends them all. */
export async function runSideBySide<Lane, Task>(
  lanes: readonly Lane[],
  tasks: Iterable<Task>,
  work: (task: Task, lane: Lane) => Promise<void>,
): Promise<void> {
  const queue = tasks[Symbol.iterator]()
  const end = new AbortController()
  const follow = async (lane: Lane): Promise<void> => {
    for (let next = queue.next(); !end.signal.aborted && next.done !== true; next = queue.next()) {
      try {
        await work(next.value, lane)
      } catch (error) {
        end.abort()
        throw error
      }
    }
  }
  const results = await Promise.allSettled(lanes.map(follow))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
