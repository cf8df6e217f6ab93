/** Worker modules of tests. */
import { resolve } from 'node:path'

const SERVE = resolve('src/builder/rebuild/render/serve-tasks.ts')

/** Returns the text of a module in which `serveTasks` is imported. */
export function createWorkerModule(code: string): string {
  return `import { serveTasks } from ${JSON.stringify(SERVE)}\n${code}`
}
