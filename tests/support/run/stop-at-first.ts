/** For a file whose tests go on from each other's state: after a failed one, the others say nothing about themselves. */
import { beforeEach } from 'vitest'

/** Skips the tests of a file that come after a failed one. */
export function stopAtFirst(): void {
  let failed: string | null = null
  beforeEach(({ task, skip, onTestFailed }) => {
    skip(failed !== null, `"${failed}" failed before`)
    onTestFailed(() => void (failed = task.name))
  })
}
