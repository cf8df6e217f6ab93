/** Makes the store the owner of the view; the document follows it from then on. */
import { createNaturalSearch } from '../../domain/catalogue/natural-search.ts'
import { $view, chooseView } from '../stores/visitor-view.ts'
import { answerVisitor } from './answer-visitor.ts'
import { showView } from './show-view.ts'
import { writeView } from './view-address.ts'

/** Returns a function that undoes it. */
export function takeOver(): () => void {
  const stopFollowing = $view.listen((view) => {
    showView(view, createNaturalSearch(view.query))
    writeView(view)
  })
  const owner = answerVisitor(chooseView)
  return () => {
    owner.abort()
    stopFollowing()
  }
}
