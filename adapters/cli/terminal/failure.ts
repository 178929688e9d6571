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
  /** For programs. */
  readonly code: string;

  constructor(
    exitCode: ExitCode,
    message: string,
    hint?: string,
    problems: readonly Problem[] = [],
    code = exitCode === EXIT.usage ? "usage" : "refused",
  ) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.hint = hint;
    this.problems = problems;
  }
}

/** A person has left a form. */
export class CanceledError extends CommandError {
  constructor(message = "Canceled.", hint?: string) {
    super(EXIT.refused, message, hint);
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
    const { exitCode, code, message, hint, problems } = error;
    return { exitCode, code, message, hint, problems };
  }
  if (isStepwellError(error)) {
    const isUnreachable = error.code === "unavailable";
    const { code } = error;
    const message = messageOf(error);
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

/** The client is a library with options: what it says about them is a hint here. */
const ABOUT_OPTIONS = / (Check the option url|Set the option url to it)\.$/;
const TLS = ":SSL routines:";

const messageOf = ({ message }: StepwellError): string =>
  tlsMessage(message.replace(ABOUT_OPTIONS, "")).replace(/\s+/g, " ").trim();

/** OpenSSL says `THREAD:error:NUMBER:SSL routines:FUNCTION:REASON:FILE:LINE:` over two lines. */
function tlsMessage(message: string): string {
  const [before = "", after] = message.split(TLS, 2);
  if (after === undefined) return message;
  return `${before.split(":").slice(0, -3).join(":")}: TLS: ${after.split(":")[1] ?? "failed"}.`;
}

function unavailableHint({ message, cause }: StepwellError): string {
  if (message.includes("Set the option url to it.")) return "Pass that address with --url or STEPWELL_URL.";
  if (message.includes("Check the option url.")) {
    return "What responds is not Stepwell. Pass the address of the server, with the path at which it is mounted, with --url or STEPWELL_URL.";
  }
  if (message.includes(TLS)) return "Does the server use http: instead of https:? Correct --url or STEPWELL_URL.";
  // Without a cause, there was a response.
  if (cause === undefined) return "The server runs, but cannot do this now. Try again, or see its log.";
  return "Start the server, for example with `stepwell dev`, or pass its address with --url or STEPWELL_URL.";
}

function hintOf(error: StepwellError): string | undefined {
  const { code, message, users } = error;
  switch (code) {
    case "unauthorized":
      return "Pass another key with --key or STEPWELL_KEY. `stepwell key create` makes one.";
    case "forbidden":
      return "The key lacks the scope, or this needs the admin key of the server. `stepwell api me get` shows the key.";
    case "unavailable":
      return unavailableHint(error);
    case "not_found":
      return message.startsWith("No route has this path.") ? WRONG_PATH : undefined;
    case "conflict":
      return users.length > 0 ? `Used by ${users.map(({ type, id }) => `${type} ${id}`).join(", ")}.` : undefined;
    default:
      return undefined;
  }
}

const WRONG_PATH =
  "Correct the path in --url or STEPWELL_URL: it must be the one at which Stepwell is mounted. `stepwell doctor --url URL` finds it.";

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
