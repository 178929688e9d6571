/** Shows that work is being done. */
import { isTerminal, type Shell } from "./shell.ts";

/** The result of the work, with a spinner beside its title while a terminal shows messages. */
export async function withSpinner<Result>(shell: Shell, title: string, work: () => Promise<Result>): Promise<Result> {
  if (!isTerminal(shell.messages)) return work();
  const { spinner } = await import("@clack/prompts");
  const shown = spinner({ output: shell.messages });
  shown.start(title);
  try {
    const result = await work();
    shown.stop(title);
    return result;
  } catch (error) {
    shown.error(title);
    throw error;
  }
}
