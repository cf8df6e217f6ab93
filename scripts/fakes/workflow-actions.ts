/** The actions that the project's workflows use, on this machine. */
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ActionPlace {
  /** Writes a fresh checkout of the repository into a folder. */
  readonly checkOut: (folder: string) => void
  /** Saved caches are kept here. */
  readonly folder: string
}

type Inputs = Readonly<Record<string, string>>

/** Returns what the action says. Throws for an action that it does not know. */
export function useAction(
  uses: string,
  inputs: Inputs,
  workspace: string,
  { checkOut, folder }: ActionPlace,
): string {
  const [action] = uses.split('@')
  const caches = join(folder, 'caches')
  if (action === 'actions/checkout') {
    checkOut(workspace)
    return 'checked out'
  }
  // The machine's PATH has the runner's Node already.
  if (action === 'actions/setup-node') return `Node ${inputs['node-version'] ?? ''}`
  if (action === 'actions/cache/restore') return restore(inputs, workspace, caches)
  if (action === 'actions/cache/save') return save(inputs, workspace, caches)
  throw new Error(`the runner does not know ${uses}`)
}

/** The newest cache whose key begins with the restore key. */
function restore(inputs: Inputs, workspace: string, caches: string): string {
  const start = (inputs['restore-keys'] ?? inputs['key'] ?? '').trim()
  const key = readKeys(caches).findLast((one) => one.startsWith(start))
  if (key === undefined) return 'no cache was found'
  for (const path of listPaths(inputs)) {
    const from = join(caches, key, path)
    if (existsSync(from)) cpSync(from, join(workspace, path), { recursive: true })
  }
  return `restored ${key}`
}

/** A cache is never replaced. */
function save(inputs: Inputs, workspace: string, caches: string): string {
  const key = inputs['key'] ?? ''
  if (readKeys(caches).includes(key)) throw new Error(`a cache with the key ${key} exists`)
  mkdirSync(caches, { recursive: true })
  for (const path of listPaths(inputs))
    cpSync(join(workspace, path), join(caches, key, path), { recursive: true })
  appendFileSync(join(caches, 'keys'), `${key}\n`)
  return `saved ${key}`
}

function listPaths(inputs: Inputs): readonly string[] {
  return (inputs['path'] ?? '').trim().split('\n')
}

function readKeys(caches: string): readonly string[] {
  const file = join(caches, 'keys')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}
