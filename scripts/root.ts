/** Where this project stands, whatever folder a command is started in. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Compiled renderers, by the hash of their code. */
export const STORE = join(ROOT, '.vitrina/renderers')
