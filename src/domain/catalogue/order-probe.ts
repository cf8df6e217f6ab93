/**
 * Detects whether two hosts sort names alike. Hosts may differ even with the same ICU version, because builds of ICU
 * may contain different data.
 */

const PROBE = [
  'zeta',
  'Ñandú',
  'nácar',
  'n',
  'ñ',
  'Éter',
  'eter',
  'Eter',
  'ch',
  'c',
  '10',
  '9',
  'ß',
  'ss',
  'Ω',
  '香',
  '🧴',
  '-',
  ' ',
]

/** Returns the names of `PROBE` in the order in which this host sorts them. */
export function probeOrder(): readonly string[] {
  return PROBE.toSorted(new Intl.Collator('es').compare)
}
