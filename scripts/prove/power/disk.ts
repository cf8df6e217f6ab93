/**
 * A small file system in an image file. A copy of the image at some instant equals the disk after a power cut at that
 * instant.
 */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanAtEnd } from '../../../src/builder/commands/local/clean-at-end.ts'

export interface Disk {
  /** Mount point. */
  readonly folder: string
  /** Copies an image to the disk and mounts the disk. As after a boot, this replays the file system's journal. */
  insert(image: string): void
  /** Saves an image of the disk at this instant, without changes that the system still holds in memory. */
  save(image: string): void
  /** Writes everything in memory to the disk, then unmounts it. Does nothing if the disk is not mounted. */
  eject(): void
}

const SIZE = 160 * 1024 * 1024
const CHUNK = 1024 * 1024
const HOLE = Buffer.alloc(CHUNK)
const MKFS = ['-q', '-F', '-m', '0', '-J', 'size=8', '-E', 'lazy_itable_init=0,lazy_journal_init=0,nodiscard']
/**
 * Mount options. They determine how soon the system writes changes from memory to the disk, and so which changes a
 * power cut loses.
 */
const MOUNTS = {
  /**
   * ext4's defaults: writes names within 5 s, content after up to 30 s, or with the name if a rename replaces a file.
   */
  usual: 'loop,noatime',
  /** Writes names within 1 s, and content later even if a rename replaces a file. POSIX permits this. */
  harsh: 'loop,noatime,commit=1,noauto_da_alloc',
}
export type Mount = keyof typeof MOUNTS
/** Max reads of an image. Two equal reads in a row show that it did not change while it was read. */
const MAX_READS = 200

/** Returns why no disk can be mounted here; `null` if one can. */
export function findMountProblem(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-disk-'))
  const disk = createDisk(join(folder, 'trial'), 'usual')
  try {
    disk.insert(createEmptyImage(join(folder, 'empty.img')))
    return null
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // If `mkfs.ext4` or `mount` is not installed, the error has no `stderr`.
    const words = 'stderr' in error && error.stderr ? String(error.stderr) : error.message
    return words.trim().replace(/\.$/, '')
  } finally {
    disk.eject()
    rmSync(folder, { recursive: true })
  }
}

/** Creates the image of an empty file system. Returns `file`. */
export function createEmptyImage(file: string): string {
  writeFileSync(file, '')
  truncateSync(file, SIZE)
  run('mkfs.ext4', [...MKFS, file])
  return file
}

/**
 * Creates a disk. Nothing is mounted until an image is inserted. `place`: common prefix of the paths of the image file
 * and the mount point.
 */
export function createDisk(place: string, mount: Mount): Disk {
  const file = `${place}.img`
  const folder = `${place}.mounted`
  let withdraw: (() => void) | null = null
  mkdirSync(folder, { recursive: true })
  const eject = (): void => {
    if (withdraw !== null) run('umount', [folder])
    withdraw?.()
    withdraw = null
  }
  return {
    folder,
    insert: (image) => {
      eject()
      writeSparse(file, readFileSync(image))
      run('mount', ['-o', MOUNTS[mount], file, folder])
      // Lazily, because a run may still use the disk.
      withdraw = cleanAtEnd(() => run('umount', ['--lazy', folder]))
    },
    save: (image) => writeSparse(image, readStill(file)),
    eject,
  }
}

// Reads until two reads are equal. The file behind the loop device has exactly what the file system has written.
function readStill(file: string): Buffer {
  let bytes = readFileSync(file)
  for (let reads = 1; reads < MAX_READS; reads += 1) {
    const again = readFileSync(file)
    if (again.equals(bytes)) return again
    bytes = again
  }
  throw new Error(`The image ${file} kept changing while it was copied: run again on a less busy machine.`)
}

function writeSparse(file: string, image: Buffer): void {
  rmSync(file, { force: true })
  const handle = openSync(file, 'w')
  try {
    for (let start = 0; start < image.length; start += CHUNK) {
      const chunk = image.subarray(start, start + CHUNK)
      if (!chunk.equals(HOLE)) writeSync(handle, chunk, 0, chunk.length, start)
    }
  } finally {
    closeSync(handle)
  }
  truncateSync(file, image.length)
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
}
