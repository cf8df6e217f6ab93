/** React's side of the hand-over: from here on the store decides and the document follows. */
import { $view, chooseView } from '../stores/visitor-view.ts'
import { answerVisitor } from './answer-visitor.ts'
import { showView } from './show-view.ts'
import { writeView } from './view-address.ts'

/** Returns what undoes it. */
export function takeOver(): () => void {
  const stopFollowing = $view.listen((view) => {
    showView(view)
    writeView(view)
  })
  const owner = answerVisitor(chooseView)
  return () => {
    owner.abort()
    stopFollowing()
  }
}
