/** Opens a site on this machine in a temporary folder, and cleans up everything that was started for it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanAtEnd } from '../../src/builder/commands/local/clean-at-end.ts'

export interface LocalPlace {
  readonly folder: string
  /** Registers a cleanup; the last one registered runs first. */
  readonly later: (close: () => unknown) => void
}

/**
 * Opens a site in a new temporary folder. If `open` fails, runs the cleanups that it has registered, and deletes the
 * folder.
 */
export async function openPlace<Site extends object>(
  name: string,
  open: (place: LocalPlace) => Promise<Site>,
): Promise<Site & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), `vitrina-${name}-`))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const closing: (() => unknown)[] = [cleanAtEnd(remove), remove]
  const close = async (): Promise<void> => {
    for (let one = closing.pop(); one !== undefined; one = closing.pop()) await one()
  }
  try {
    return { ...(await open({ folder, later: (one) => void closing.push(one) })), close }
  } catch (error) {
    await close()
    throw error
  }
}
