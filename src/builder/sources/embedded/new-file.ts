/** New files appear whole or not at all: written beside their place, then renamed. */
import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/** What was asked would overwrite something: nothing was done. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** A name beside `path` that nobody else has. A killed process may leave a file there. */
export function nameTemporary(path: string): string {
  return `${path}.${randomUUID().slice(0, 8)}.tmp`
}

export function isTemporary(path: string, name: string): boolean {
  return name.startsWith(`${path}.`) && name.endsWith('.tmp')
}

/** `write` makes the file at the temporary name it is given. */
export async function writeNewFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = nameTemporary(path)
  try {
    mkdirSync(dirname(path), { recursive: true })
    await write(temporary)
    flush(temporary)
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}

// Without it a power cut may leave the new name with no bytes in it.
function flush(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
