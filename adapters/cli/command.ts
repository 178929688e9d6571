/** Commands, and what was typed for them: citty describes arguments and prints usage, the parser of Node.js is strict. */
import { parseArgs as parseStrictly, stripVTControlCharacters } from "node:util";
import { type ArgsDef, parseArgs, renderUsage } from "citty";
import { EXIT, type ExitCode, wrongUse } from "./terminal/failure.ts";
import type { Shell } from "./terminal/shell.ts";
import { similarTo } from "./terminal/similar.ts";

export interface Command {
  readonly description: string;
  readonly args: ArgsDef;
  /** Lines below the usage: what to type for what. */
  readonly examples?: readonly string[];
  /** Replaces the usage for the arguments before `--help`, if they have one of their own. */
  help?(words: readonly string[]): Promise<string | null>;
  /** Whether it reads `--NAME VALUE` of any name itself. @default false */
  readonly acceptsAnyOption?: boolean;
  /**
   * @param commands All commands, for those that are about commands.
   * @returns The exit code. Nothing stands for 0.
   */
  run(given: Given, shell: Shell, commands: Commands): Promise<ExitCode | undefined>;
}

export interface CommandEntry {
  /** One line for `stepwell --help`. */
  readonly summary: string;
  load(): Promise<{ readonly command: Command }>;
}

export type Commands = Readonly<Record<string, CommandEntry>>;

/** What was typed. */
export interface Given {
  /** Values of positional arguments and options by name. */
  text(name: string): string | undefined;
  /** Every value of an option that may be repeated. */
  all(name: string): readonly string[];
  flag(name: string): boolean;
  /** All positional arguments. */
  readonly words: readonly string[];
  /** What was typed, in order. */
  readonly raw: readonly string[];
}

/** Options of every command that prints a result. */
export const OUTPUT_ARGS = {
  json: { type: "boolean", description: "Print JSON, and nothing else, on standard output" },
} as const satisfies ArgsDef;

/** A version of a workflow. */
export const VERSION_ARG = {
  type: "string",
  valueHint: "version",
  description: "Version: latest, draft, an id or a number (default: latest)",
} as const satisfies ArgsDef[string];

/** Where a command writes its result. */
export const OUT_ARG = {
  type: "string",
  alias: "o",
  valueHint: "file",
  description: "Write to this file (default: standard output)",
} as const satisfies ArgsDef[string];

/** Options of every command that talks to a server. */
export const SERVER_ARGS = {
  url: { type: "string", valueHint: "url", description: "Address of the server (STEPWELL_URL; else `stepwell dev`)" },
  key: { type: "string", valueHint: "key", description: "API key (STEPWELL_KEY; else that of `stepwell dev`)" },
  ...OUTPUT_ARGS,
} as const satisfies ArgsDef;

/** @throws CommandError with exit code 2 for anything that the command does not know */
export function readArguments(name: string, command: Command, raw: readonly string[]): Given {
  const { args } = command;
  const options = Object.fromEntries(
    Object.entries(args).flatMap(([key, { type, ...one }]) => {
      if (type === "positional") return [];
      const alias = "alias" in one ? [one.alias].flat()[0] : undefined;
      const option = { type: type === "boolean" ? ("boolean" as const) : ("string" as const), multiple: true };
      return [[key, alias === undefined ? option : { ...option, short: alias }]];
    }),
  );
  const isStrict = command.acceptsAnyOption !== true;
  const hint = `\`stepwell ${name} --help\` shows its arguments.`;
  const strict = (() => {
    try {
      return parseStrictly({ args: [...raw], options, allowPositionals: true, strict: isStrict, allowNegative: true });
    } catch (error) {
      const reason = reasonOf(error);
      const [, typed] = /option '--(?:no-)?([^']+)'/.exec(reason) ?? [];
      const meant = typed === undefined ? undefined : similarTo(typed, Object.keys(options));
      throw wrongUse(reason, meant === undefined ? hint : `Did you mean --${meant}? ${hint}`);
    }
  })();
  const places = Object.values(args).filter(({ type }) => type === "positional").length;
  const { positionals } = strict;
  if (isStrict && positionals.length > places && !("more" in args)) {
    throw wrongUse(`Unexpected argument ${JSON.stringify(positionals[places])}.`, hint);
  }
  const parsed = (() => {
    try {
      return parseArgs([...raw], args);
    } catch (error) {
      throw wrongUse(reasonOf(error), hint);
    }
  })();
  return {
    text(key) {
      const value: unknown = parsed[key];
      return typeof value === "string" ? value : undefined;
    },
    all(key) {
      const found: unknown = strict.values[key];
      return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
    },
    flag: (key) => parsed[key] === true,
    words: positionals,
    raw,
  };
}

/** The first sentence, with quotes as elsewhere. */
function reasonOf(error: unknown): string {
  // citty colors its messages.
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const [first = text] = text.split(/\. (?=[A-Z])/);
  return `${first.replace(/\.$/, "")}.`;
}

/** The usage of a command. */
export async function usageOf(name: string, command: Command): Promise<string> {
  const { description, args, examples = [] } = command;
  const usage = await renderUsage({ meta: { name: `stepwell ${name}`, description }, args });
  const lines = examples.length === 0 ? [] : ["", "EXAMPLES", "", ...examples.map((one) => `  ${one}`)];
  return [usage.trimEnd(), ...lines].join("\n");
}

export { EXIT };
