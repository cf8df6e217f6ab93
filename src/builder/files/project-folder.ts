/** The project's folder, independent of the working directory and of bundling. */
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

export const ROOT = `${dirname(findPackageJSON('.', import.meta.url) ?? '')}/`

/** The Worker's entry. Its folder also holds the trigger, which has packages of its own and is deployed alone. */
const WORKER_ENTRY = 'functions/worker.ts'

/** Files and folders with the source code of the Worker, relative to the project's folder. */
export const WORKER_CODE: readonly string[] = [WORKER_ENTRY, 'src/edge', 'src/domain']

/** Folder of compiled renderers, with one subfolder for each hash of their code. */
export const STORE = join(ROOT, '.vitrina/renderers')

/** File with the noted hashes of the project's files: see noted-hashes.ts. */
export const NOTED_HASHES = join(ROOT, '.vitrina/hashes.json')
