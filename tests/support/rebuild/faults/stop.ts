/** A preload for every thread of a command: stops the process, after the first catalogue page is in place. */
import { actAfterPage } from './after-page.ts'

actAfterPage(() => process.kill(process.pid, 'SIGSTOP'))
