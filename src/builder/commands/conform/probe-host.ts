/**
 * Runs the probe, the Worker with which the command `conform` checks assumptions about Cloudflare, in an account or in
 * the local runtime.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openProbeAccount } from '../../publish/cloudflare/probe-account.ts'
import type { ProbeOptions } from '../../publish/cloudflare/probe-files.ts'
import { writeProbe } from '../../publish/cloudflare/probe-files.ts'
import { readWorkerConfiguration } from '../../publish/cloudflare/worker-configuration.ts'
import { ROOT } from '../../state/project-folder.ts'
import type { Edge } from '../local/local-edge.ts'
import { findFreePort, startEdge } from '../local/local-edge.ts'
import { PROBE_KEYS } from './assumed-stores.ts'
import type { ConformOptions } from './conform-options.ts'
import { hasObjects } from './conform-options.ts'

export interface ProbeHost {
  /** The key that each question to the probe must contain. A visit needs no key. */
  readonly key: string
  /** Deploys the probe and returns its origin. */
  deploy(): Promise<string>
  switchVersion(): Promise<void>
  /**
   * Removes everything that this run or an earlier one created. Returns what was removed from the account, in words.
   */
  remove(): Promise<readonly string[]>
}

export function openProbeHost(options: ConformOptions): ProbeHost {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-conform-'))
  const worker = readWorkerConfiguration(ROOT, options.stage)
  const { at } = options
  const probe: ProbeOptions = {
    root: ROOT,
    folder,
    name: `${worker.name}-conform`,
    key: randomBytes(24).toString('base64url'),
    hasObjects: hasObjects(options),
    domain: at?.protocol === 'https:' ? at.hostname : null,
  }
  const host = options.isLocal ? openLocal(probe) : openAccount(probe, options, worker.account)
  return {
    ...host,
    key: probe.key,
    remove: async () => {
      try {
        return await host.remove()
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

type Host = Omit<ProbeHost, 'key'>

function openAccount(probe: ProbeOptions, { environment, at }: ConformOptions, account: string | null): Host {
  const { deploy, switchVersion, remove } = openProbeAccount(probe, { environment, account })
  return {
    deploy: async () => {
      // Removes the probe of an earlier run that was killed.
      await remove(PROBE_KEYS)
      const origin = await deploy()
      return at?.origin ?? origin
    },
    switchVersion,
    remove: () => remove(PROBE_KEYS),
  }
}

/** Runs the probe on this machine. To switch versions, starts the runtime again with the same storage. */
function openLocal(probe: ProbeOptions): Host {
  let edge: Edge | null = null
  let port = 0
  const start = async (version: number): Promise<string> => {
    await edge?.close()
    const serve = { configuration: writeProbe(probe, version) }
    edge = await startEdge({ port, serve, state: join(probe.folder, 'state'), variables: {} })
    return edge.origin
  }
  return {
    deploy: async () => {
      port = await findFreePort()
      return start(1)
    },
    switchVersion: async () => void (await start(2)),
    remove: async () => {
      await edge?.close()
      return []
    },
  }
}
