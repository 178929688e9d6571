/** What can be typed: commands, their options, and the functions of `stepwell api`. */
import { apiFunctions } from "../api/functions.ts";
import type { Commands } from "../command.ts";

export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  /** With their hyphens. */
  readonly options: readonly string[];
  /** First arguments, where they are known. */
  readonly words: readonly string[];
}

export async function commandWords(commands: Commands): Promise<readonly CommandWords[]> {
  return Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => {
      const { command } = await load();
      const options = Object.entries(command.args).flatMap(([option, { type }]) =>
        type === "positional" ? [] : [`--${option}`],
      );
      return { name, summary, options: [...options, ...(OPTIONS[name] ?? []), "--help"], words: WORDS[name] ?? [] };
    }),
  );
}

/** The functions of each group. */
export function apiWords(): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { group, name } of apiFunctions()) groups.set(group, [...(groups.get(group) ?? []), name]);
  return groups;
}

/** Of the command that reads its options itself. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  api: ["--all", "--app", "--body", "--out", "--url", "--key", "--admin-key", "--json"],
};

const WORDS: Readonly<Record<string, readonly string[]>> = {
  api: [...new Set(apiFunctions().map(({ group }) => group))],
  key: ["create", "list", "remove"],
  completion: ["bash", "zsh", "fish"],
};
