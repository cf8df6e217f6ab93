/** Reads the memory of a process and all its descendants from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs'

/**
 * For a single process that shares no anonymous memory, this measure equals its RSS. Anonymous memory that processes of
 * the tree share counts once.
 */
export const MEMORY_METHOD =
  'anonymous memory (PSS) of the process and all its descendants, plus the largest file-backed memory of any one of them, as read from /proc'

/**
 * Returns the resident memory of the tree in bytes; 0 if it cannot be read, for example because the process has ended.
 * Memory that several processes share counts once for each of them. Much faster than `readTreeMemory`, during which the
 * measured program cannot map memory.
 */
export function readTreeResident(pid: number): number {
  return listTree(pid).reduce((sum, process) => sum + readResident(process), 0)
}

interface Memory {
  readonly own: number
  readonly files: number
}

/**
 * Returns the memory of the tree by `MEMORY_METHOD`, in bytes; 0 if it cannot be read, for example because the process
 * has ended.
 */
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

function readResident(pid: number): number {
  const text = attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? ''
  return findBytes(text, 'VmRSS') ?? 0
}

function findBytes(text: string, name: string): number | undefined {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]
  return found === undefined ? undefined : Number(found) * 1024
}

// Returns `null` if the read fails, because a process may end between two reads.
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
