/** A preload for a command: throws where nothing catches it, after the first catalogue page is in place. */
import { actAfterPage } from './after-page.ts'

actAfterPage(() =>
  queueMicrotask(() => {
    throw new Error('nothing catches this')
  }),
)
