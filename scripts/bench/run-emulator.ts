/** `run-emulator.ts`, forked: a Firestore emulator that tells its parent where it listens, and stops when it is ended. */
import { startEmulator } from '../emulator/firestore-emulator.ts'

const { host } = await startEmulator()
process.send?.(host)
