/** Prevents a runner of GitHub Actions from obeying commands in text of documents. */

/**
 * Breaks up commands: a runner of GitHub Actions obeys `##[…]` anywhere in a line, and `::…::` at the beginning.
 * Source: https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function breakCommands(text: string): string {
  return text.replaceAll('##[', '# #[').replace(/^([^\S\n]*):(?=:)/gm, '$1: ')
}
