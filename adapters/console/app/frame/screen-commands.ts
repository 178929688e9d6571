/** The actions of the screen that is shown: the buttons of its head and of its toolbars, by their names. */
import type { Command } from "./commands.ts";

/** What opens a menu is no action. */
const BUTTONS =
  "#content :is(.page-head, [role=toolbar]) button:not(:disabled, [aria-disabled='true'], [aria-haspopup='menu'])";

export function screenCommands(): readonly Command[] {
  const commands = new Map<string, Command>();
  for (const button of document.querySelectorAll<HTMLButtonElement>(BUTTONS)) {
    const label = (button.ariaLabel ?? button.innerText).trim();
    // What is not drawn has no text.
    if (label === "" || commands.has(label)) continue;
    commands.set(label, { name: `screen ${label}`, label, icon: "chevronRight", run: () => button.click() });
  }
  return [...commands.values()];
}

/** What the screen is about, such as a workflow. */
export const screenTitle = (): string => document.querySelector<HTMLElement>("#content h1")?.innerText.trim() ?? "";

/**
 * The actions of the screen before those that are everywhere, which it may have, too. One that is called like a page, such as
 * the runs of a workflow, says what it is about.
 */
export function withScreen(
  ofScreen: readonly Command[],
  everywhere: readonly Command[],
  title: string,
): readonly Command[] {
  const isPage = (wanted: string) => everywhere.some((one) => one.isPage === true && one.label === wanted);
  const own = ofScreen.map((one) => (isPage(one.label) ? { ...one, label: `${one.label}: ${title}` } : one));
  return [...own, ...everywhere.filter(({ label }) => !own.some((one) => one.label === label))];
}
