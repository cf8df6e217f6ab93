/** Runs a Firestore emulator in a forked process, and sends its `host:port` to the parent process. */
import { startEmulator } from '../../emulator/firestore-emulator.ts'

const { host } = await startEmulator()
process.send?.(host)
