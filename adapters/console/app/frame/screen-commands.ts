/** The actions of the screen that is shown: the buttons of its head and of its toolbars, by their names. */
import type { Command } from "./commands.ts";

const BUTTONS = "#content :is(.page-head, [role=toolbar]) button:not(:disabled, [aria-disabled='true'])";

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
