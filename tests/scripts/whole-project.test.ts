/** The check of the project itself. As a test, it runs while other tests wait. */
import { expect, it } from 'vitest'
import { captureNode } from '../../scripts/measure/run-tool.ts'

it('types, lint, format, imports, and exports are as they should be', { timeout: 1_200_000 }, async () => {
  const { code, output } = await captureNode(['scripts/vitrina.mjs', 'check'])
  expect(code, output).toBe(0)
})
