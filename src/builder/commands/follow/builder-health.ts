/**
 * State of a builder and numbers of its successful and failed builds, for a monitor. Has no error messages, because
 * anyone can request it.
 */

export interface Health {
  readonly state: 'idle' | 'building'
  /**
   * Time at which the builder started, or at which a build began or a try ended, whichever is latest. All times in this
   * object are in RFC 3339.
   */
  readonly since: string
  /** Number of successful builds since the builder started. */
  readonly builds: number
  /** Number of failed tries to build since the most recent successful build or, if there was none, since the start. */
  readonly failures: number
  /** End of the most recent successful build; `null` if there was none. */
  readonly lastBuild: string | null
}

type BuildResult = 'built' | 'failed' | 'left to another'

export interface BuilderHealth {
  read(): Health
  begin(): void
  end(result: BuildResult): void
}

/**
 * Number of consecutive failures after which a builder is unhealthy. A single failure may be an outage of the source.
 */
const MANY = 3

export function trackHealth(now: () => Date = () => new Date()): BuilderHealth {
  let health: Health = { state: 'idle', since: now().toISOString(), builds: 0, failures: 0, lastBuild: null }
  return {
    read: () => health,
    begin: () => {
      health = { ...health, state: 'building', since: now().toISOString() }
    },
    end: (result) => {
      const rest = { ...health, state: 'idle', since: now().toISOString() } as const
      if (result === 'built')
        health = { ...rest, builds: rest.builds + 1, failures: 0, lastBuild: rest.since }
      else health = result === 'failed' ? { ...rest, failures: rest.failures + 1 } : rest
    },
  }
}

export function isHealthy({ failures }: Health): boolean {
  return failures < MANY
}
