/** Installs the packages when they are missing or not those of the lockfile. Runs on whatever Node the machine has. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}node_modules/.installed`
const lock = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.error('Installing packages: about a minute, the first time only.')
  // Not `npm ci`: it refuses a lockfile without some optional package of another platform. stdout belongs to what follows.
  const result = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    shell: true,
    stdio: ['ignore', 2, 2],
  })
  if (result.status !== 0) {
    console.error(
      'The packages could not be installed. Check the network and `npm config get registry`, then run again.',
    )
    process.exit(1)
  }
  writeFileSync(stamp, lock)
}
