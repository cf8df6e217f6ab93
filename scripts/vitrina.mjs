#!/usr/bin/env node
/**
 * `vitrina <command> [options]`: installs the packages unless they were installed from the current lockfile, restarts
 * itself with the project's own Node if the current Node is too old, and runs the command. Plain JavaScript, so that
 * older Nodes can run it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'
import { COMMANDS, findCommand } from './commands.mjs'

// Exit code until a command sets its own, so that a crash does not exit with 0.
process.exitCode = 70
// A reader that closes the pipe early (`| head`) causes no error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const root = fileURLToPath(new URL('..', import.meta.url))
const args = parseArguments(process.argv.slice(2))
const name = findCommand(args[0] ?? '')

/** Settings of glibc: two heaps instead of one for each thread, and large blocks are given back at once. */
const MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

try {
  const problem = findPlaceProblem() ?? install()
  if (problem !== null) tell(2, problem)
  else if (isNodeRight() && !keepsMemory()) await run()
  else runOnOwnNode()
} catch (error) {
  printUnloaded(error)
}

/** `help <command>` is the same as `<command> --help`. */
function parseArguments([first, ...rest]) {
  if (first === undefined) return []
  return first === 'help' ? [...rest, '--help'] : [first, ...rest]
}

async function run() {
  endWithLauncher()
  if (args[0] === 'install') {
    process.exitCode = 0
    return
  }
  module.enableCompileCache()
  const { runProgram, command } = await (name === 'rebuild' ? loadRebuild() : loadCommand())
  await runProgram(COMMANDS, name === null ? null : { name, definition: command }, args)
}

function printUnloaded({ message, stack = '' }) {
  // Node begins the stack of a syntax error with the file and the line.
  const [, file, line] = /^file:\/\/(.+):(\d+)$/m.exec(stack) ?? []
  const advice =
    file === undefined
      ? '. Restore the files of the project, delete node_modules, and allow enough open files (ulimit -n 4096)'
      : ` in ${file}, line ${line}. Correct this file`
  tell(70, `${args[0] ?? 'vitrina'} could not be started: ${message}${advice}, then run again.`)
}

/** Prints an error without the program's modules, which may be missing. */
function tell(exit, error) {
  process.exitCode = exit
  console.error(`vitrina: ${error}`)
  if (args.includes('--json')) console.log(JSON.stringify({ exit, error }))
}

/**
 * Returns a problem if the path of the project's folder contains # or ?, because Vite treats the text after either as a
 * query; otherwise `null`.
 */
function findPlaceProblem() {
  if (!/[#?]/.test(root)) return null
  return `The project's folder is ${root}, and it cannot be compiled with # or ? in its path. Move it, or rename the folder whose name contains this character.`
}

/** Sends SIGTERM to this process when the launcher that started it has ended. */
function endWithLauncher() {
  if (process.channel === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

async function loadRebuild() {
  try {
    return await (await import('../src/builder/commands/rebuild/bundle-command.ts')).loadBundled()
  } catch ({ message }) {
    console.error(`rebuild starts slowly, because its bundle could not be made or loaded: ${message}`)
    return loadCommand()
  }
}

async function loadCommand() {
  const [{ runProgram }, loaded] = await Promise.all([
    import('../src/builder/commands/program.ts'),
    name === null ? null : COMMANDS[name].load(),
  ])
  return { runProgram, command: loaded?.command }
}

/**
 * Installs the packages unless they were installed from the current lockfile. Those of the workshop are left out until a
 * command of the workshop needs them. If packages must be installed but package.json and the lockfile differ, returns an
 * error message instead; otherwise `null`. Ends the process if npm fails.
 */
function install() {
  const stamp = `${root}node_modules/.installed`
  const lockfile = readFileSync(`${root}package-lock.json`, 'utf8')
  const lock = createHash('sha256').update(lockfile).digest('hex')
  const [installed, extent = 'all'] = existsSync(stamp)
    ? readFileSync(stamp, 'utf8').split(' ')
    : ['', 'site']
  const isWhole = extent === 'all' || !['Site', 'Data', 'Publishing'].includes(COMMANDS[name ?? '']?.group)
  if (installed === lock && (extent === 'all' || !isWhole)) return null
  const unlocked = listUnlocked(lockfile)
  if (unlocked.length > 0)
    return `package.json and package-lock.json differ in ${unlocked.join(', ')}: run npm install, and commit both files.`
  console.error('Installing packages: takes about a minute, once.')
  // Otherwise an interrupted install would count as complete as soon as the previous lockfile is back.
  rmSync(stamp, { force: true })
  // `npm ci` would reject a lockfile that lacks an optional package of another platform. npm writes to stderr, because
  // stdout belongs to the command.
  const options = [
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(isWhole ? [] : ['--omit=dev']),
  ]
  const result = spawnSync('npm', ['install', ...options], {
    cwd: root,
    shell: process.platform === 'win32',
    stdio: ['ignore', 2, 2],
    env: withoutNpmOptions(process.env),
  })
  if (result.status !== 0) {
    tell(
      70,
      'the packages could not be installed. Check the network and `npm config get registry`, then run again.',
    )
    process.exit()
  }
  writeFileSync(stamp, `${lock} ${isWhole ? 'all' : 'site'}`)
  return null
}

/**
 * Returns the packages whose versions in package.json and the lockfile differ. npm would choose new versions of these
 * packages.
 */
function listUnlocked(lockfile) {
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const locked = JSON.parse(lockfile).packages['']
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) => {
    const [wanted, known] = [manifest[kind] ?? {}, locked[kind] ?? {}]
    const names = Object.keys({ ...wanted, ...known })
    return names.filter((one) => wanted[one] !== known[one])
  })
}

/**
 * Removes `npm_config_dry_run`, which npm sets for `npm run rebuild --dry-run`. With it, npm would not install the
 * packages, which a dry run needs, too.
 */
function withoutNpmOptions(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([key]) => key !== 'npm_config_dry_run'))
}

/** Returns whether this Node is at least 24.10, the oldest version with all APIs that the project uses. */
function isNodeRight() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 10)
}

/**
 * Returns whether the command decodes many photos in a process that keeps the memory of each. The C library reads these
 * settings when a process starts. Source: https://sharp.pixelplumbing.com/install/#linux-memory-allocator
 */
function keepsMemory() {
  const isSpared = 'MALLOC_ARENA_MAX' in process.env || args.includes('--help')
  return ['photos', 'deploy'].includes(name) && process.platform === 'linux' && !isSpared
}

function runOnOwnNode() {
  const bin = `${root}node_modules/.bin`
  const child = spawn(`${bin}/node`, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    // The channel closes when this process ends, and the child then ends too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...MEMORY,
      PATH: `${bin}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`,
    },
  })
  // SIGINT is passed on as SIGTERM, which ends the child in the same way. The child already gets SIGINT from a terminal
  // at Ctrl-C, and a second SIGINT would end it at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal === 'SIGINT' ? 'SIGTERM' : signal))
  }
  child.on('error', (error) => {
    tell(
      70,
      `the project's own Node cannot be started: ${error.message}. Delete node_modules, then run again.`,
    )
  })
  child.on('exit', (code) => {
    process.exitCode = code ?? 70
  })
}
