/** Calls commands in this process, with streams of their own. */
import { PassThrough, Writable } from "node:stream";
import { main } from "../../../adapters/cli/main.ts";
import type { Shell } from "../../../adapters/cli/terminal/shell.ts";
import type { Mounted } from "../client/mounted.ts";
import { until } from "../until.ts";

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Text on standard input. */
  readonly stdin?: string;
  /** Whether a person sits in front of it, who types with `type`. */
  readonly isInteractive?: boolean;
  /** Whether messages go to a terminal. */
  readonly isTerminal?: boolean;
  readonly signal?: AbortSignal;
}

class Collected extends Writable {
  text = "";
  // What a terminal has and clack reads.
  columns = 100;
  rows = 40;
  isTTY = false;
  override _write(chunk: unknown, _: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function startCli(args: readonly string[], options: CliOptions = {}) {
  const { cwd = "/", env = {}, stdin, isInteractive = false, signal = new AbortController().signal } = options;
  const input = new PassThrough();
  if (stdin !== undefined || !isInteractive) input.end(stdin ?? "");
  const [output, messages] = [new Collected(), new Collected()];
  messages.isTTY = options.isTerminal === true;
  const shell: Shell = { env, cwd, input, output, messages, isInteractive, signal };
  const ended = main(args, shell, "1.2.3").then((code) => ({ code, stdout: output.text, stderr: messages.text }));
  let seen = 0;
  return {
    ended,
    output,
    messages,
    type(keys: string): void {
      input.write(keys);
    },
    /** Waits for a question that contains the text, and types an answer to it. */
    async answer(question: string, keys: string): Promise<void> {
      await until(() => messages.text.indexOf(question, seen) !== -1);
      seen = messages.text.length;
      input.write(keys);
    },
  };
}

export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, options).ended;
}

/** Commands with the address and key of a mounted service. */
export function cliOf({ url, key }: Pick<Mounted, "url" | "key">, defaults: CliOptions = {}) {
  const env = { STEPWELL_URL: url, STEPWELL_KEY: key };
  const all = (options: CliOptions): CliOptions => ({
    ...defaults,
    ...options,
    env: { ...env, ...defaults.env, ...options.env },
  });
  return {
    run: (args: readonly string[], options: CliOptions = {}) => runCli(args, all(options)),
    start: (args: readonly string[], options: CliOptions = {}) => startCli(args, all(options)),
    /** The JSON document that a command prints with `--json`. */
    async json(args: readonly string[], options: CliOptions = {}) {
      const { code, stdout, stderr } = await runCli([...args, "--json"], all(options));
      return { code, value: JSON.parse(stdout), stderr };
    },
  };
}
