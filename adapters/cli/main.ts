/** Finds the command that was typed, loads it and runs it. Imports nothing heavy: `--help` must be immediate. */
import { COMMANDS, findCommand } from "./commands.ts";
import { EXIT, type ExitCode, showFailure, wrongUse } from "./terminal/failure.ts";
import { isTerminal, printLine, type Shell } from "./terminal/shell.ts";
import { similarTo } from "./terminal/similar.ts";
import { columns } from "./terminal/table.ts";

const HELP = /^(--help|-h)$/;

/** @returns The exit code. */
export async function main(args: readonly string[], shell: Shell, version: string): Promise<ExitCode> {
  const isJson = args.includes("--json");
  try {
    const [name = "help", ...rest] = args;
    if (name === "--version" || name === "-v") printLine(shell, version);
    else if (name === "help" || HELP.test(name))
      return await printHelp(
        rest.find((one) => !one.startsWith("-")),
        shell,
        version,
      );
    else return await runCommand(name, rest, shell);
    return EXIT.ok;
  } catch (error) {
    return showFailure(shell, shell.signal.aborted ? new Error("Interrupted.") : error, isJson);
  }
}

async function printHelp(name: string | undefined, shell: Shell, version: string): Promise<ExitCode> {
  if (name !== undefined) return runCommand(name, ["--help"], shell);
  const rows = Object.entries(COMMANDS).map(([command, { summary }]) => [`  ${command}`, summary]);
  const end = "`stepwell COMMAND --help` shows the arguments of a command.";
  const codes = "Exit codes: 0 fine, 1 refused, 2 wrong use, 3 run failed, 4 server not reached.";
  printLine(shell, `Stepwell ${version}: durable workflows\n\nUsage: stepwell COMMAND [ARGUMENTS]\n`);
  printLine(shell, `${columns(rows)}\n\n${end}\n${codes}`);
  return EXIT.ok;
}

async function runCommand(name: string, args: readonly string[], shell: Shell): Promise<ExitCode> {
  const entry = findCommand(name);
  if (entry === undefined) {
    const meant = similarTo(name, Object.keys(COMMANDS));
    const hint = meant === undefined ? "`stepwell --help` lists the commands." : `Did you mean \`stepwell ${meant}\`?`;
    throw wrongUse(`There is no command ${JSON.stringify(name)}.`, hint);
  }
  const [{ command }, { readArguments, usageOf }] = await Promise.all([entry.load(), import("./command.ts")]);
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  if (options.some((one) => HELP.test(one))) {
    const words = options.filter((one) => !HELP.test(one));
    const own = command.help === undefined ? null : await command.help(words);
    const { stripVTControlCharacters } = await import("node:util");
    const text = own ?? (await usageOf(name, command));
    // citty colors its text whether it is for a terminal or not.
    if (isTerminal(shell.output)) shell.output.write(`${text}\n`);
    else printLine(shell, stripVTControlCharacters(text));
    return EXIT.ok;
  }
  return (await command.run(readArguments(name, command, args), shell, COMMANDS)) ?? EXIT.ok;
}
