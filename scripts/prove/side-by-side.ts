/** Runs tasks side by side, one at a time in each sandbox; the first error ends all. */
import { inLanes } from '../../src/domain/work/batches.ts'

export async function runSideBySide<Sandbox, Task>(
  sandboxes: readonly Sandbox[],
  tasks: Iterable<Task>,
  work: (task: Task, sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const free = [...sandboxes]
  await inLanes(tasks, sandboxes.length, async (task) => {
    const [sandbox] = free.splice(0, 1) as [Sandbox]
    await work(task, sandbox)
    free.push(sandbox)
  })
}
