/** The three filter buttons of a catalogue. */
import { useStore } from '@nanostores/react'
import { useLayoutEffect } from 'react'
import { FILTERS } from '../../domain/catalogue/view.ts'
import { FILTER_LABEL, FILTER_NAMES } from '../../domain/messages.ts'
import { $view, chooseView } from '../stores/visitor-view.ts'
import { takeOver } from './take-over.ts'

export function FilterBar() {
  const { filter: chosen } = useStore($view)
  useLayoutEffect(takeOver, [])
  return (
    <div className="filters" role="group" aria-label={FILTER_LABEL}>
      {FILTERS.map((filter) => (
        <button
          key={filter}
          type="button"
          value={filter}
          aria-pressed={filter === chosen}
          onClick={() => chooseView({ filter })}
          // The inline script may have changed `aria-pressed` before hydration.
          suppressHydrationWarning
        >
          {FILTER_NAMES[filter]}
        </button>
      ))}
    </div>
  )
}
