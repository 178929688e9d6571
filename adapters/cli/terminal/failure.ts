/** Errors of commands, and how they are shown: what was wrong, where, and what to type instead. */
import { type FieldError, isStepwellError, type StepwellError } from "../../../src/errors.ts";
import { omitUndefined } from "../../../src/json.ts";
import { printable, printJsonLine, printMessage, type Shell } from "./shell.ts";

export const EXIT = {
  ok: 0,
  /** The server, or a check, refused what was asked. */
  refused: 1,
  /** The command was not typed as it has to be. */
  usage: 2,
  /** A run failed or was canceled. */
  runFailed: 3,
  /** The server did not respond. */
  unreachable: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A problem at a place: a JSON Pointer, or `FILE:LINE`. */
export interface Problem {
  /** For people. */
  readonly place: string;
  readonly message: string;
  readonly pointer?: string;
  readonly file?: string;
  readonly line?: number;
}

/** An error with which a command ends. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;
  /** What to type instead. */
  readonly hint: string | undefined;
  readonly problems: readonly Problem[];

  constructor(exitCode: ExitCode, message: string, hint?: string, problems: readonly Problem[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
    this.problems = problems;
  }
}

export function wrongUse(message: string, hint?: string): CommandError {
  return new CommandError(EXIT.usage, message, hint);
}

export function refused(message: string, hint?: string, problems?: readonly Problem[]): CommandError {
  return new CommandError(EXIT.refused, message, hint, problems);
}

/** What the error of a command is for people and programs. */
interface Failure {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly problems: readonly Problem[];
}

function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) {
    const { exitCode, message, hint, problems } = error;
    return { exitCode, code: exitCode === EXIT.usage ? "usage" : "refused", message, hint, problems };
  }
  if (isStepwellError(error)) {
    const isUnreachable = error.code === "unavailable";
    const { code, message } = error;
    const exitCode = isUnreachable ? EXIT.unreachable : EXIT.refused;
    return { exitCode, code, message, hint: hintOf(error), problems: error.errors.map(problemOf) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT.refused, code: "failed", message, hint: undefined, problems: [] };
}

export function problemOf({ pointer, message, in: part }: FieldError): Problem {
  const place = pointer === "" ? "/" : pointer;
  return { place: part === undefined ? place : `${part} ${place}`, message, pointer };
}

function hintOf({ code, users }: StepwellError): string | undefined {
  switch (code) {
    case "unauthorized":
      return "Pass another key with --key or STEPWELL_KEY. `stepwell key create` makes one.";
    case "forbidden":
      return "The key lacks the scope, or this needs the admin key of the server. `stepwell api me get` shows the key.";
    case "unavailable":
      return "Start the server, for example with `stepwell dev`, or pass its address with --url or STEPWELL_URL.";
    case "conflict":
      return users.length > 0 ? `Used by ${users.map(({ type, id }) => `${type} ${id}`).join(", ")}.` : undefined;
    default:
      return undefined;
  }
}

/** Shows an error, as JSON on the output if the command was asked for JSON. Returns the exit code. */
export function showFailure(shell: Shell, error: unknown, isJson: boolean): ExitCode {
  const { exitCode, code, message, hint, problems } = failureOf(error);
  if (isJson) {
    // On one line, as a command may have printed lines of events before.
    printJsonLine(shell, { error: { code, message, ...omitUndefined({ hint }), problems } });
    return exitCode;
  }
  const isListed = problems.length === 1 && message.includes(problems[0]?.message ?? "");
  printMessage(shell, `error: ${printable(message)}`);
  if (!isListed) for (const one of problems) printMessage(shell, `  ${printable(`${one.place}: ${one.message}`)}`);
  if (hint !== undefined) printMessage(shell, printable(hint));
  return exitCode;
}
