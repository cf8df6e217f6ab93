/** How much memory a process and all its descendants hold, from Linux's /proc. It knows nothing of what they do. */
import { readdirSync, readFileSync } from 'node:fs'

/** Of a lone process this is its RSS; what several of a tree share counts once, what others share with them is no help. */
export const MEMORY_METHOD =
  'own pages (PSS) of the process and all its descendants, and the largest of what each has mapped of files, from /proc'

interface Memory {
  readonly own: number
  readonly files: number
}

/** In bytes; 0 where there is no /proc or the process is gone. */
export function readTreeMemory(pid: number): number {
  const parts = listTree(pid).map(readMemory)
  return parts.reduce((sum, { own }) => sum + own, 0) + Math.max(...parts.map(({ files }) => files))
}

function listTree(pid: number): readonly number[] {
  const children = listThreads(pid).flatMap((thread) => readChildren(pid, thread))
  return [pid, ...children.flatMap(listTree)]
}

function listThreads(pid: number): readonly string[] {
  return attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []
}

function readChildren(pid: number, thread: string): readonly number[] {
  const text = attempt(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')) ?? ''
  return text.split(' ').filter(Boolean).map(Number)
}

function readMemory(pid: number): Memory {
  const text = attempt(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? ''
  const [resident, anonymous, own] = ['Rss', 'Anonymous', 'Pss_Anon'].map((name) => findBytes(text, name))
  if (resident === undefined || anonymous === undefined || own === undefined) return { own: 0, files: 0 }
  return { own, files: resident - anonymous }
}

function findBytes(text: string, name: string): number | undefined {
  const found = new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1]
  return found === undefined ? undefined : Number(found) * 1024
}

// A process may end between any two looks.
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
