/** The files of the machine: what each process changed, and what of it is forced to the disk. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { Choose, Host } from './machine-host.ts'

export interface FileLog {
  /** Replaces Node's functions. Returns a function that restores them. */
  install(): () => void
  cut(choose: Choose): void
  forget(): void
}

/** A file that is not known to be on the disk. */
interface Unforced {
  /** Its bytes on the disk; `null` if no file is there. */
  readonly old: Uint8Array | null
  /** Whether its name leads to these bytes on the disk. */
  readonly isNamed: boolean
  /** Whether its bytes are on the disk. */
  readonly isFilled: boolean
}

type Data = string | NodeJS.ArrayBufferView

const NAMES = [
  'writeFileSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'rmdirSync',
  'mkdirSync',
  'openSync',
  'closeSync',
  'fsyncSync',
] as const

/** Functions that change files and that the machine does not see. A process that calls one fails. */
const UNSEEN = [
  'appendFileSync',
  'copyFileSync',
  'cpSync',
  'linkSync',
  'symlinkSync',
  'truncateSync',
  'writeSync',
  'createWriteStream',
] as const

const real = Object.fromEntries([...NAMES, ...UNSEEN].map((name) => [name, fs[name]])) as Pick<
  typeof fs,
  (typeof NAMES)[number] | (typeof UNSEEN)[number]
>

export function createFileLog({ folder, change, isRunning }: Host): FileLog {
  const unforced = new Map<string, Unforced>()
  const newFolders = new Set<string>()
  const handles = new Map<number, string>()
  // The files of databases are in the other log.
  const isOurs = (path: unknown): path is string =>
    isRunning() && typeof path === 'string' && path.startsWith(`${folder}/`) && !path.includes('.sqlite')
  const read = (path: string): Uint8Array | null => (isFile(path) ? fs.readFileSync(path) : null)

  const noteWrite = (path: string): void => {
    const before = unforced.get(path)
    const old = before === undefined ? read(path) : before.old
    unforced.set(path, { old, isNamed: before?.isNamed ?? old !== null, isFilled: false })
  }
  const noteRemoval = (path: string): void => {
    for (const file of listFiles(path)) {
      const old = unforced.get(file)?.old ?? (unforced.has(file) ? null : read(file))
      unforced.set(file, { old, isNamed: false, isFilled: true })
    }
  }
  const noteRename = (from: string, to: string): void => {
    for (const file of listFiles(from)) {
      const target = to + file.slice(from.length)
      const isFilled = unforced.get(file)?.isFilled ?? true
      const old = unforced.get(target)?.old ?? (unforced.has(target) ? null : read(target))
      unforced.set(target, { old, isNamed: false, isFilled })
      noteRemoval(file)
    }
  }
  const noteForced = (path: string): void => {
    const file = unforced.get(path)
    if (file?.isNamed === true) unforced.delete(path)
    else if (file !== undefined) unforced.set(path, { ...file, isFilled: true })
    for (const [name, one] of unforced) {
      if (!name.startsWith(`${path}/`)) continue
      const isDirect = dirname(name) === path
      // With a removed folder, all that was in it is removed.
      const isGone = !isDirect && !isFolder(join(path, name.slice(path.length + 1).split('/', 1)[0] ?? ''))
      if (isGone || (isDirect && one.isFilled)) unforced.delete(name)
      else if (isDirect) unforced.set(name, { ...one, isNamed: true })
    }
    for (const name of newFolders) if (dirname(name) === path) newFolders.delete(name)
  }

  const replaced: Partial<Record<(typeof NAMES)[number], unknown>> = {
    writeFileSync: (path: string, data: Data, options?: fs.WriteFileOptions) => {
      if (!isOurs(path)) return real.writeFileSync(path, data, options)
      return change({
        act: () => {
          noteWrite(path)
          real.writeFileSync(path, data, options)
        },
        actInPart: () => {
          noteWrite(path)
          const bytes =
            typeof data === 'string'
              ? Buffer.from(data)
              : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
          real.writeFileSync(path, bytes.subarray(0, bytes.length / 2), options)
        },
        ...failing('ENOSPC', path),
      })
    },
    renameSync: (from: string, to: string) => {
      if (!isOurs(to)) return real.renameSync(from, to)
      return change({
        act: () => {
          // Fails before it is noted.
          const files = listFiles(from)
          if (files.length > 0 && !isFolder(to)) noteRename(from, to)
          real.renameSync(from, to)
        },
        ...failing('ENOSPC', to),
      })
    },
    mkdirSync: (path: string, options?: fs.MakeDirectoryOptions) => {
      if (!isOurs(path) || fs.existsSync(path)) return real.mkdirSync(path, options)
      return change({
        act: () => {
          // A folder directly in the machine's folder counts as forced: whoever runs the program has made it.
          if (dirname(path) !== folder) newFolders.add(path)
          return real.mkdirSync(path, options)
        },
        ...failing('ENOSPC', path),
      })
    },
    openSync: (path: string, flags?: string | number, mode?: number) => {
      const handle = real.openSync(path, flags ?? 'r', mode)
      if (isOurs(path)) handles.set(handle, resolve(path))
      return handle
    },
    closeSync: (handle: number) => {
      handles.delete(handle)
      real.closeSync(handle)
    },
    fsyncSync: (handle: number) => {
      const path = handles.get(handle)
      if (path === undefined || !isOurs(path)) return real.fsyncSync(handle)
      // Not passed on: it would take long, and no power is cut in truth.
      return change({ act: () => noteForced(path), ...failing('EIO', path) })
    },
    ...Object.fromEntries(
      (['rmSync', 'unlinkSync', 'rmdirSync'] as const).map((name) => {
        const remove = real[name] as (path: string, options?: object) => void
        const replacement = (path: string, options?: object): void => {
          if (!isOurs(path) || !fs.existsSync(path)) return remove(path, options)
          return change({
            act: () => {
              if (name !== 'rmdirSync') noteRemoval(path)
              remove(path, options)
            },
            ...failing('EIO', path),
          })
        }
        return [name, replacement]
      }),
    ),
  }
  const refused = Object.fromEntries(
    UNSEEN.map((name) => [
      name,
      (...args: readonly unknown[]) => {
        const call = real[name] as (...values: readonly unknown[]) => unknown
        const paths = args.map((arg) => (typeof arg === 'number' ? handles.get(arg) : arg))
        if (paths.some(isOurs)) throw new Error(`The machine does not see ${name}: teach it to.`)
        return call(...args)
      },
    ]),
  )

  const cutFile = (path: string, { old, isNamed, isFilled }: Unforced, choose: Choose): void => {
    const present = read(path)
    const isTorn = !isFilled && present !== null
    const outcomes = [
      present,
      ...(isTorn ? [present.subarray(0, present.length / 2), present.subarray(0, 0)] : []),
      ...(isNamed && isFilled ? [] : [old]),
    ]
    const outcome = outcomes[choose(outcomes.length, present === null)] ?? null
    if (outcome === null) return real.rmSync(path, { force: true })
    real.mkdirSync(dirname(path), { recursive: true })
    real.writeFileSync(path, outcome)
  }
  return {
    install: () => {
      Object.assign(fs, replaced, refused)
      syncBuiltinESMExports()
      return () => {
        handles.clear()
        Object.assign(fs, real)
        syncBuiltinESMExports()
      }
    },
    cut: (choose) => {
      // Without its new folder, a file is lost, even if it was forced to the disk.
      for (const path of newFolders)
        if (choose(2, false) === 1) real.rmSync(path, { recursive: true, force: true })
      for (const [path, file] of unforced) cutFile(path, file, choose)
      unforced.clear()
      newFolders.clear()
    },
    forget: () => {
      unforced.clear()
      newFolders.clear()
    },
  }
}

function failing(code: string, path: string): { createError: () => Error; needsSpace: boolean } {
  const createError = (): Error => Object.assign(new Error(`${code}: ${path}`), { code, path })
  return { createError, needsSpace: code === 'ENOSPC' }
}

function isFile(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function isFolder(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Returns the file at this path, or the files below the folder at this path. */
function listFiles(path: string): readonly string[] {
  if (!isFolder(path)) return isFile(path) ? [path] : []
  return fs.readdirSync(path).flatMap((name) => listFiles(join(path, name)))
}
