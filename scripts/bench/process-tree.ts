/** How much memory a process and all its descendants hold, from Linux's /proc. It knows nothing of what they do. */
import { readdirSync, readFileSync } from 'node:fs'

/** PSS: a page shared by several processes counts once, divided among them. */
export const MEMORY_METHOD = 'sum of PSS (else RSS) of the process and all its descendants, from /proc'

/** In bytes; 0 where there is no /proc or the process is gone. */
export function readTreeMemory(pid: number): number {
  return listTree(pid).reduce((sum, one) => sum + readMemory(one), 0)
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

function readMemory(pid: number): number {
  return readKilobytes(`/proc/${pid}/smaps_rollup`, /^Pss: +(\d+) kB/m) ?? readResident(pid)
}

function readResident(pid: number): number {
  return readKilobytes(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m) ?? 0
}

function readKilobytes(file: string, pattern: RegExp): number | null {
  const found = attempt(() => readFileSync(file, 'utf8'))?.match(pattern)?.[1]
  return found === undefined ? null : Number(found) * 1024
}

// A process may end between any two looks.
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
