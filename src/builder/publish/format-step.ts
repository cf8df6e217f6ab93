/** Formats the steps of a deploy for people. */
import { cleanText } from '../../domain/documents/text.ts'
import { formatCount } from '../format-numbers.ts'
import type { RebuildOutcome } from '../rebuild/rebuild.ts'
import type { DeployStep } from './deploy-site.ts'

type Step<Kind extends DeployStep['kind']> = Extract<DeployStep, { kind: Kind }>

export function formatStep(step: DeployStep, formatRebuilt: (outcome: RebuildOutcome) => string): string {
  switch (step.kind) {
    case 'claimed':
      return `  claimed     ${formatClaimed(step)}`
    case 'rebuilt':
      return formatRebuilt(step.outcome)
    case 'live':
      return `  live        run ${step.run}${step.what === null ? ' already' : `: ${cleanText(step.what)}`}`
    case 'reported':
      return `  reported    ${formatReported(step)}`
  }
}

function formatClaimed({ lease: { token, named } }: Step<'claimed'>): string {
  if (token === null) return 'nothing: without a coordinator, only the live marker is compared'
  if (named === 'all') return 'everything'
  return named.length === 0 ? 'nothing: no change waits' : formatCount(named.length, 'seller')
}

function formatReported({ waiting, isCoordinated }: Step<'reported'>): string {
  if (!isCoordinated) return 'to no coordinator'
  if (waiting === null) return 'too late, because the lease had ended: the same sellers are built again'
  if (waiting === 0) return 'nothing waits now'
  return `${formatCount(waiting, 'seller')} ${waiting === 1 ? 'waits' : 'wait'} now`
}
