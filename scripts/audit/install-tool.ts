/** A tool in a folder of its own, where npm installs it: nothing else of the project needs it. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Tool {
  /** Its package. */
  readonly name: string
  readonly version: string
  readonly folder: string
}

/** Answers the folder of its package. Scripts of packages are not run: they would ask the Internet for more. */
export async function installTool(
  { name, version, folder }: Tool,
  progress: (text: string) => void,
): Promise<string> {
  const installed = join(folder, 'node_modules', name)
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: { [name]: version } })
  const file = join(folder, 'package.json')
  const isThere = existsSync(installed) && existsSync(file) && readFileSync(file, 'utf8') === manifest
  if (isThere) return installed
  progress(`Installing ${name} ${version}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, manifest)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: folder, shell: process.platform === 'win32' }
  await promisify(execFile)('npm', ['install', ...flags], options)
  return installed
}
