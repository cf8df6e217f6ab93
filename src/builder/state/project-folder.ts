/** Where this project stands, whatever folder a command is started in, also when this code is bundled. */
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

export const ROOT = `${dirname(findPackageJSON('.', import.meta.url) ?? '')}/`

/** Compiled renderers, by the hash of their code. */
export const STORE = join(ROOT, '.vitrina/renderers')
