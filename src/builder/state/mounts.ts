/**
 * Lists mount points. A file system mounted inside a folder is not part of that folder, and must not be removed with
 * it.
 */
import { readFileSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'

/** The list of mount points, only on Linux. Source: https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html. */
const MOUNTS = '/proc/self/mountinfo'

/**
 * Returns the real paths of the mount points below `folder`; none if the folder does not exist or the system has no
 * list.
 */
export function findMountsBelow(folder: string, list = readMounts()): readonly string[] {
  if (list === '') return []
  const start = readRealPath(folder)
  if (start === null) return []
  const prefix = start.endsWith(sep) ? start : start + sep
  return list
    .split('\n')
    .map((line) => unescapePath(line.split(' ')[4] ?? ''))
    .filter((point) => point.startsWith(prefix))
}

function readMounts(): string {
  try {
    return readFileSync(MOUNTS, 'utf8')
  } catch {
    return ''
  }
}

function readRealPath(folder: string): string | null {
  try {
    return realpathSync(folder)
  } catch {
    return null
  }
}

// Decodes the list's octal escapes for spaces, tabs, line ends and backslashes.
function unescapePath(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
