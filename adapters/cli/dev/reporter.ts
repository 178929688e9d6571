/** What `stepwell dev` prints: lines for people, or one JSON document per line. */
import { CommandError, showFailure } from "../terminal/failure.ts";
import { printable, printJsonLine, printLine, printMessage, type Shell } from "../terminal/shell.ts";
import { type Deployed, deployedText } from "../workflow-files/deploy-file.ts";
import type { Listening } from "./server-process.ts";

export interface Reporter {
  listening(server: Listening, isRestarted: boolean): void;
  deployed(result: Deployed): void;
  invalid(file: string, error: unknown): void;
  /** The config takes long to load. */
  loading(file: string): void;
  warning(text: string): void;
  note(text: string): void;
}

function runtimeText({ bun, deno, node }: Readonly<Record<string, string | undefined>>): string {
  if (bun !== undefined) return `Bun ${bun}`;
  return deno === undefined ? `Node.js ${node}` : `Deno ${deno}`;
}

export const KEYS = "r restart · o open · k new key · q quit";

export function createReporter(shell: Shell, parts: { isJson: boolean; version: string; keyFile: string }): Reporter {
  const { isJson, version, keyFile } = parts;
  const event = (fields: object) => printJsonLine(shell, fields);
  if (isJson) {
    return {
      listening: ({ url, app_id, config, console }) =>
        event({ event: "listening", url, app_id, config, key_file: keyFile, console }),
      deployed: (result) => event({ event: "deployed", ...result }),
      invalid(file, error) {
        const problems = error instanceof CommandError ? error.problems : [];
        event({ event: "invalid", file, message: error instanceof Error ? error.message : String(error), problems });
      },
      loading: (file) => event({ event: "loading", config: file }),
      warning: (message) => event({ event: "warning", message }),
      note: () => undefined,
    };
  }
  return {
    listening({ url, config, console }, isRestarted) {
      if (isRestarted) return printLine(shell, `  Restarted at ${url}`);
      printLine(shell, `\n  Stepwell ${version} · data in .stepwell · ${runtimeText(process.versions)}\n`);
      if (console !== null) printLine(shell, `  Console    ${console}`);
      printLine(shell, `  Server     ${url}`);
      if (console !== null) printLine(shell, `  Reference  ${url}/docs`);
      printLine(shell, `  OpenAPI    ${url}/openapi.json`);
      printLine(shell, `  Key        in ${keyFile}; commands in this folder use it`);
      if (config !== null) printLine(shell, `  Config     ${config}`);
      printLine(shell, "\n  Next       npx stepwell run NAME, or: npx stepwell api workflows list\n");
    },
    deployed: (result) => printLine(shell, `  ${printable(result.file)}  ${deployedText(result)}`),
    invalid(file, error) {
      printLine(shell, `  ${printable(file)}  not deployed`);
      showFailure(shell, error, false);
    },
    loading: (file) => printLine(shell, `  Loading ${file} …`),
    warning: (text) => printMessage(shell, `warning: ${text}`),
    note: (text) => printLine(shell, `  ${text}`),
  };
}
