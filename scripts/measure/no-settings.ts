/** The settings of commands that build sites of their own, such as tests and benches: the defaults. */
import { SETTING_LIST } from '../../src/builder/commands/settings.ts'

/** Named by a program that starts an emulator to its child processes, which inherit it. */
const EMULATOR = 'FIRESTORE_EMULATOR_HOST'

/** Environment variables that hide the values which `.env` or the shell have. */
export const NO_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  [...SETTING_LIST.map(({ name }) => name), 'VITRINA_ENV']
    .filter((name) => name !== EMULATOR)
    .map((name) => [name, '']),
)
