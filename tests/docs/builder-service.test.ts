/** The unit of systemd for a builder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../src/builder/state/project-folder.ts'

const unit = readFileSync(join(ROOT, 'docs/vitrina-builder.service'), 'utf8')

/** Returns the words of a setting; none if the unit lacks it. */
function readWords(name: string): readonly string[] {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]?.split(' ') ?? []
}

it('lets npm and the deploy tool write their own files outside the home folder, which is protected', () => {
  expect(readWords('ProtectSystem')).toEqual(['strict'])
  const caches = readWords('CacheDirectory').map((name) => `/var/cache/${name}`)
  const written = Object.fromEntries(readWords('Environment').map((word) => word.split('=')))
  expect(Object.keys(written)).toEqual(['npm_config_cache', 'XDG_CONFIG_HOME'])
  for (const folder of Object.values(written))
    expect(caches.some((cache) => String(folder).startsWith(`${cache}/`))).toBe(true)
})
