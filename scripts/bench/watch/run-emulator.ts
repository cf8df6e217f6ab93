/** Runs a Firestore emulator in a forked process, and sends its host to the parent. */
import { startEmulator } from '../../emulator/firestore-emulator.ts'

const { host } = await startEmulator()
process.send?.(host)
