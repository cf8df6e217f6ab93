/** Lighthouse, in a folder of its own where npm installs it: nothing else of the project needs it. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const VERSION = '13.5.0'

/** Answers the program that Node runs. */
export async function installLighthouse(folder: string, progress: (text: string) => void): Promise<string> {
  const program = join(folder, 'node_modules/lighthouse/cli/index.js')
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: { lighthouse: VERSION } })
  const file = join(folder, 'package.json')
  const isThere = existsSync(program) && existsSync(file) && readFileSync(file, 'utf8') === manifest
  if (isThere) return program
  progress(`Installing Lighthouse ${VERSION}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, manifest)
  const options = { cwd: folder, shell: process.platform === 'win32' }
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], options)
  return program
}
