/** The order of what the command menu offers. Pure. */
import type { Command } from "./commands.ts";

/** Actions that the text begins with, then what was found, then all other actions that contain every word of it. */
export function rankCommands(found: readonly Command[], actions: readonly Command[], text: string): readonly Command[] {
  const words = text.trim().toLowerCase().split(/\s+/);
  const first = (words[0] ?? "").replace(/:$/, "");
  const matching = actions.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  const isMeant = ({ verb, label }: Command, isFound: boolean) =>
    first !== "" && (isFound ? verb : label.split(/\s+/)[0])?.toLowerCase() === first;
  return [
    ...found.filter((one) => isMeant(one, true)),
    ...matching.filter((one) => isMeant(one, false)),
    ...found.filter((one) => !isMeant(one, true)),
    ...matching.filter((one) => !isMeant(one, false)),
  ];
}
