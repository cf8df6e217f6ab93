/** Runs a proof on a copy of the project with a mutation. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { copyProject } from './copy-project.ts'
import type { Mutation, Proof } from './mutations.ts'
import { breakProject } from './mutations.ts'

/** Large enough to catch each mutation; a proof ends with the first difference. */
const SIZES: Readonly<Record<Proof, readonly string[]>> = {
  equivalence: ['--sequences', '100', '--seed', '1', '--shrink', '0'],
  crash: ['--kills', '800', '--steps', '100', '--seed', '1'],
  faults: [],
}

export interface ProofVerdict {
  readonly isCaught: boolean
  /** The output of the proof, without its progress. */
  readonly words: string
}

export async function proveBroken(mutation: Mutation, proof: Proof): Promise<ProofVerdict> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-broken-'))
  try {
    copyProject(folder)
    breakProject(folder, mutation)
    const { exit, words } = await run(folder, ['scripts/vitrina.mjs', `prove:${proof}`, ...SIZES[proof]])
    const [, story = words] = words.split(/: a difference[^\n]*:\n/)
    return { isCaught: exit === 1 && words.includes(': a difference'), words: story.trim() }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(cwd: string, args: readonly string[]): Promise<{ exit: number | null; words: string }> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  const [[exit], words] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    text(child.stderr),
  ])
  return { exit, words }
}
