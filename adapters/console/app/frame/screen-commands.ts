/** The actions of the screen that is shown: the buttons of its head and of its toolbars, by their names. */
import type { Command } from "./commands.ts";

/** What opens a menu is no action. */
const BUTTONS =
  "#content :is(.page-head, [role=toolbar]) :is(a.button, button:not(:disabled, [aria-busy='true'], [aria-haspopup='menu']))";

export function screenCommands(): readonly Command[] {
  const commands = new Map<string, Command>();
  for (const button of document.querySelectorAll<HTMLElement>(BUTTONS)) {
    const label = labelOf(button);
    if (label === "" || commands.has(label) || !isOffered(button)) continue;
    const refusal = button.ariaDisabled === "true" ? reasonOf(button) : undefined;
    // Without a reason, nothing can be said about it.
    if (refusal === "") continue;
    const { command } = button.dataset;
    commands.set(label, {
      name: command ?? `screen ${label}`,
      label,
      icon: "chevronRight",
      isOfScreen: command !== undefined,
      refusal,
      run: () => button.click(),
    });
  }
  return [...commands.values()];
}

/** What a closed menu has is offered, too. */
const isOffered = (button: HTMLElement) => button.checkVisibility() || button.closest("[popover]") !== null;

/** Why it is refused. The title of a sign is its name. */
function reasonOf(button: HTMLElement): string {
  const described = document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent;
  return described ?? (button.title === button.ariaLabel ? "" : button.title);
}

/** Its name, behind that of its group. Signs, such as a number for the eye alone, are left out. */
function labelOf(button: HTMLElement): string {
  const spoken = [...button.childNodes].filter((part) => !(part instanceof Element && part.ariaHidden === "true"));
  const group = button.closest("[role=group]")?.ariaLabel ?? null;
  const name = (button.ariaLabel ?? spoken.map(({ textContent }) => textContent).join("")).trim();
  return group === null || name === "" ? name : `${group}: ${name}`;
}

/** What the screen is about, such as a workflow. */
export const screenTitle = (): string => document.querySelector<HTMLElement>("#content h1")?.innerText.trim() ?? "";

/**
 * The actions of the screen before those that are everywhere, which it may have, too. One that is called like a page, such as
 * the runs of a workflow, or that would say nothing alone, such as "Run", says what it is about.
 */
export function withScreen(
  ofScreen: readonly Command[],
  everywhere: readonly Command[],
  title: string,
): readonly Command[] {
  const isPage = (wanted: string) => everywhere.some((one) => one.isPage === true && one.label === wanted);
  const own = ofScreen.map((one) =>
    one.isOfScreen === true || isPage(one.label) ? { ...one, label: `${one.label}: ${title}` } : one,
  );
  return [...own, ...everywhere.filter(({ label }) => !own.some((one) => one.label === label))];
}
