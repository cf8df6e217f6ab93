/** Formats the steps of a deploy for people, and its result for programs. */
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount } from '../../format-numbers.ts'
import type { DeployedSite, DeployStep } from '../../publish/deploy-site.ts'
import type { Terminal } from '../command.ts'
import { formatOutcome } from '../rebuild/format-rebuild.ts'
import type { RebuildReport } from '../rebuild/rebuild-report.ts'
import { createRebuildReport } from '../rebuild/rebuild-report.ts'
import type { DeployAction, DeployOptions } from './deploy-options.ts'

interface DeployReport {
  readonly action: DeployAction['kind']
  /** Run of the site that is live; `null` if that is not known. */
  readonly run: string | null
  readonly published: boolean
  /** Number of sellers whose changes are not live; `null` if that is not known. */
  readonly waiting: number | null
  readonly rebuild: RebuildReport | null
  readonly error: null
}

export function createDeployReport(
  action: DeployAction['kind'],
  deployed: DeployedSite | null = null,
): DeployReport {
  if (deployed === null)
    return { action, run: null, published: false, waiting: null, rebuild: null, error: null }
  const { outcome, marker, isPublished, waiting } = deployed
  const rebuild = createRebuildReport(outcome, Math.round(performance.now()))
  return { action, run: marker.run, published: isPublished, waiting, rebuild, error: null }
}

/** Returns a function that prints each step. */
export function createTeller(
  { configuration: { site } }: DeployOptions,
  { print }: Pick<Terminal, 'print'>,
): (step: DeployStep) => void {
  const format = (step: DeployStep): string => {
    switch (step.kind) {
      case 'claimed':
        return `  claimed     ${formatClaim(step)}`
      case 'rebuilt': {
        const report = createRebuildReport(step.outcome, Math.round(performance.now()))
        return formatOutcome(step.outcome, report, { site, isExplained: false })
      }
      case 'live':
        return `  live        run ${step.run}${step.what === null ? ' already' : `: ${cleanText(step.what)}`}`
      case 'reported':
        return `  reported    ${formatReported(step)}`
    }
  }
  return (step) => print(format(step))
}

function formatClaim({ lease: { token, named } }: Extract<DeployStep, { kind: 'claimed' }>): string {
  if (token === null) return 'nothing: without a coordinator, only the live marker is compared'
  if (named === 'all') return 'everything'
  return named.length === 0 ? 'nothing: no change waits' : formatCount(named.length, 'seller')
}

function formatReported({ waiting, isCoordinated }: Extract<DeployStep, { kind: 'reported' }>): string {
  if (!isCoordinated) return 'to no coordinator'
  if (waiting === null) return 'too late, because the lease had ended: the same sellers are built again'
  if (waiting === 0) return 'nothing waits now'
  return `${formatCount(waiting, 'seller')} ${waiting === 1 ? 'waits' : 'wait'} now`
}
