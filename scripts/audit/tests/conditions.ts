/** The conditions of `check:load`: how tests are started with busy cores, a single core, another user or delays. */
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ROOT } from '../../../src/builder/state/project-folder.ts'

/** How a program is started under a condition. */
export interface Start {
  readonly folder: string
  /** Program and arguments that precede the command. */
  readonly prefix: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Id of the user and of the group; this process's own by default. */
  readonly uid?: number
}

interface Prepared {
  readonly start: Start
  end(): void
}

export interface Condition {
  readonly name: string
  readonly holds: string
  /** Returns why this machine cannot impose the condition; `null` if it can. */
  findObstacle(): string | null
  prepare(): Prepared
}

/** Id of Debian's user and group without permissions. */
const NOBODY = 65_534

/** A busy loop. It ends when its parent process ends, even if the parent is killed. */
const LOOP = `const parent = process.ppid
while (process.ppid === parent) for (let turn = 0; turn < 1e8; turn += 1);`

/**
 * Names of the files and folders at the top of the project that `moveToOtherUser` does not copy: git's own, the output
 * and state of builds, and the user's settings.
 */
const LEFT_OUT =
  /^(dist(-.*)?|\.git|\.vitrina(-.*)?|\.astro|\.wrangler|\.env(\.(?!example$).*)?|vitrina\.sqlite.*)$/

const here: Start = { folder: ROOT, prefix: [], environment: {} }

export const CONDITIONS: readonly Condition[] = [
  {
    name: 'busy',
    holds: 'a busy loop on each core',
    findObstacle: () => null,
    prepare: occupyCores,
  },
  {
    name: 'one-core',
    holds: 'a single core',
    findObstacle: () => (process.platform === 'linux' ? null : 'taskset needs Linux'),
    prepare: () => ({ start: { ...here, prefix: ['taskset', '-c', '0'] }, end: () => {} }),
  },
  {
    name: 'other-user',
    holds: 'a user other than root, a folder with a space in its name, another temporary folder',
    findObstacle: () => (process.getuid?.() === 0 ? null : 'only root can become another user'),
    prepare: moveToOtherUser,
  },
  createDelay('frames', 'each frame of a page comes 3 s late'),
  createDelay('runtime', 'workerd, the local runtime, starts 3 s late'),
  createDelay('stand-in', 'each answer of a stand-in comes 3 s late'),
  createDelay('child', 'each child process starts 3 s late'),
  createDelay('hashes', 'each hash comes up to 20 ms late, in any order', 20),
]

function createDelay(name: string, holds: string, milliseconds?: number): Condition {
  const delay = milliseconds === undefined ? name : `${name}:${milliseconds}`
  const start = { ...here, environment: { VITRINA_TEST_DELAY: delay } }
  return { name, holds, findObstacle: () => null, prepare: () => ({ start, end: () => {} }) }
}

function occupyCores(): Prepared {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }),
  )
  return {
    start: here,
    end: () => {
      for (const loop of loops) loop.kill('SIGKILL')
    },
  }
}

/** Copies the project with its packages to a temporary folder, and gives the copy to the user without permissions. */
function moveToOtherUser(): Prepared {
  const base = mkdtempSync(join(tmpdir(), 'vitrina-load-'))
  chmodSync(base, 0o755)
  const [folder, home, temporary] = ['una carpeta', 'home', 'temporary'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]
  const filter = (path: string): boolean => path === ROOT || !LEFT_OUT.test(basename(path))
  for (const name of readdirSync(ROOT).filter((entry) => filter(join(ROOT, entry))))
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, verbatimSymlinks: true })
  for (const made of [home, temporary]) mkdirSync(made)
  giveAway(base)
  const environment = { HOME: home, TMPDIR: temporary, USER: 'nobody', LOGNAME: 'nobody' }
  return {
    start: { folder, prefix: [], environment, uid: NOBODY },
    end: () => rmSync(base, { recursive: true, force: true }),
  }
}

function giveAway(folder: string): void {
  chownSync(folder, NOBODY, NOBODY)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) giveAway(path)
    else if (entry.isFile()) chownSync(path, NOBODY, NOBODY)
  }
}
