/** Creates files atomically: writes a temporary file in the same folder, then renames it. */
import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/** The operation is impossible, or would overwrite something. No document was changed. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** Returns a unique path in the folder of `path`. A killed process may leave a file at this path. */
export function nameTemporary(path: string): string {
  return `${path}.${randomUUID().slice(0, 8)}.tmp`
}

export function isTemporary(path: string, name: string): boolean {
  return name.startsWith(`${path}.`) && name.endsWith('.tmp')
}

/** `write` must create the file at the temporary path that it receives. */
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

// Without `fsync`, a power cut may leave an empty file under the new name.
function flush(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
