#!/usr/bin/env node
/**
 * `vitrina <command> [options]`: installs the packages when they are not those of the lockfile, goes on with the
 * project's own Node, and runs the command. Plain JavaScript, since it runs on whatever Node the machine has.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import * as module from 'node:module'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { COMMANDS } from './commands.mjs'
import { loadRebuild } from './load-rebuild.mjs'

// Until the command says otherwise: no crash looks like success.
process.exitCode = 70

const root = fileURLToPath(new URL('..', import.meta.url))
const [name = '', ...args] = process.argv.slice(2)

try {
  install()
  if (isNodeRight()) await run()
  else runOnOwnNode()
} catch (error) {
  tellUnloaded(error)
}

async function run() {
  if (name === 'install') {
    process.exitCode = 0
    return
  }
  module.enableCompileCache()
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (entry === undefined) {
    const { showCommands } = await import('../src/builder/commands/show-commands.ts')
    process.exitCode = showCommands(COMMANDS, process.argv.slice(2))
    return
  }
  if (entry.renders === true) prepareRendering()
  const { runProgram, command } = name === 'rebuild' ? await loadRebuild() : await loadCommand(entry)
  await runProgram({ name, summary: entry.summary, definition: command }, args)
}

/** Nothing of the program could be loaded that could say it. The exit code is 70 already. */
function tellUnloaded({ message }) {
  const error = `${name} could not be started: ${message}. Restore the files of the project, delete node_modules, and allow enough open files (ulimit -n 4096), then run again.`
  console.error(`vitrina: ${error}`)
  if (args.includes('--json')) console.log(JSON.stringify({ exit: 70, error }))
}

async function loadCommand({ load }) {
  const [program, loaded] = await Promise.all([import('../src/builder/commands/program.ts'), load()])
  return { ...program, ...loaded }
}

/** Settings of this process under which many pages render fastest in the least memory. */
function prepareRendering() {
  // The part of the heap for new objects grows to 100 MB in a long run, and nothing is faster for it: it keeps its
  // first size here, and that of workers is what serves pages best.
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--min-semi-space-size=8')
  // Where every core renders, a collection that is shared among threads only waits for them.
  setFlagsFromString('--no-parallel-scavenge')
  // Nearly all that a worker holds is garbage: it looks through its old objects only when it has gathered a share of
  // what all of them may take, 300 MB, of which each needs 50 anyway. As many workers as in render-pool.ts.
  const workers = Math.min(4, Math.max(2, availableParallelism()))
  setFlagsFromString(`--initial-old-space-size=${Math.floor(300 / workers) - 50}`)
  // React's development build is slower and makes other markup.
  process.env.NODE_ENV = 'production'
}

function install() {
  const stamp = `${root}node_modules/.installed`
  const lock = createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.error('Installing packages: about a minute, the first time only.')
  // Not `npm ci`: it refuses a lockfile without some optional package of another platform. stdout belongs to the command.
  const result = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    shell: process.platform === 'win32',
    stdio: ['ignore', 2, 2],
    env: withoutNpmOptions(process.env),
  })
  if (result.status !== 0) {
    console.error(
      'The packages could not be installed. Check the network and `npm config get registry`, then run again.',
    )
    process.exit()
  }
  writeFileSync(stamp, lock)
}

/** Options that npm took for itself are none of its own: `npm run rebuild --dry-run` must install all the same. */
function withoutNpmOptions(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([key]) => key !== 'npm_config_dry_run'))
}

/** The oldest that has all that this project uses. */
function isNodeRight() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 10)
}

function runOnOwnNode() {
  const bin = `${root}node_modules/.bin`
  const child = spawn(`${bin}/node`, [fileURLToPath(import.meta.url), name, ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${bin}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`,
    },
  })
  // A terminal sends Ctrl-C to both: this process ends when the other has.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT') child.kill(signal)
    })
  }
  child.on('error', (error) => {
    console.error(
      `The project's own Node cannot be started: ${error.message}. Delete node_modules, then run again.`,
    )
  })
  child.on('exit', (code) => {
    process.exitCode = code ?? 70
  })
}
