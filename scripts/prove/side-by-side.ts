/** Runs tasks side by side, one at a time in each sandbox; the first error ends all. */
export async function runSideBySide<Sandbox, Task>(
  sandboxes: readonly Sandbox[],
  tasks: Iterable<Task>,
  work: (task: Task, sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const queue = tasks[Symbol.iterator]()
  const end = new AbortController()
  const follow = async (sandbox: Sandbox): Promise<void> => {
    for (let next = queue.next(); !end.signal.aborted && next.done !== true; next = queue.next()) {
      try {
        await work(next.value, sandbox)
      } catch (error) {
        end.abort()
        throw error
      }
    }
  }
  const results = await Promise.allSettled(sandboxes.map(follow))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
