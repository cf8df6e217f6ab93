/** The project's folder, independent of the working directory and of bundling. */
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

export const ROOT = `${dirname(findPackageJSON('.', import.meta.url) ?? '')}/`

/** Folder of compiled renderers, with one subfolder for each hash of their code. */
export const STORE = join(ROOT, '.vitrina/renderers')

/** File with the noted hashes of the project's files: see noted-hashes.ts. */
export const NOTED_HASHES = join(ROOT, '.vitrina/hashes.json')
