/** Shows a run while it is executed: one line per step, redrawn in a terminal, else a line for each event. */
import type { Run, RunEvent } from "../../../src/index.ts";
import { isTerminal, oneLine, printable, printMessage, type Shell, widthOf } from "../terminal/shell.ts";

interface Row {
  status: string;
  startedAt: number | null;
  /** How long it took, why it failed, or the last line that it logged. */
  detail: string;
}

export interface RunView {
  show(event: RunEvent): void;
  /** Leaves what is drawn, so that other text can follow. */
  pause(): void;
  /** Prints log lines that no event has shown: events of what happened before the view began are not repeated. */
  end(run: Run): void;
}

const MARKS: Readonly<Record<string, string>> = {
  pending: "·",
  running: "›",
  waiting: "…",
  succeeded: "✓",
  failed: "✗",
  skipped: "-",
  canceled: "-",
};

export function createRunView(shell: Shell, keys: readonly string[]): RunView {
  return isTerminal(shell.messages) ? createLiveView(shell, keys) : createPlainView(shell);
}

/** What an event says about its step. */
export function eventText(event: RunEvent): string {
  const { type } = event;
  if (type === "step.log") return event.lines.join("\n");
  if (type === "step.delta") return event.text;
  const [about, what = ""] = type.split(".");
  const subject = "step" in event && about === "step" ? event.step : "run";
  const reason = "error" in event ? `: ${event.error.code}: ${event.error.message}` : "";
  return `${subject} ${what}${reason}`;
}

function createPlainView(shell: Shell): RunView {
  const logged = new Set<string>();
  return {
    show(event) {
      if (event.type === "step.delta") return;
      const time = (event.at ?? "").slice(11, 19).padEnd(8);
      if (event.type !== "step.log") return printMessage(shell, `${time}  ${oneLine(eventText(event), MAX_CHARS)}`);
      logged.add(event.step);
      for (const line of event.lines) printMessage(shell, `${time}  ${event.step} | ${oneLine(line, MAX_CHARS)}`);
    },
    pause() {},
    end: ({ steps }) =>
      printLogs(
        shell,
        steps.filter(({ key }) => !logged.has(key)),
      ),
  };
}

function printLogs(shell: Shell, steps: Run["steps"]): void {
  for (const { key, logs = [] } of steps) {
    for (const line of logs) printMessage(shell, `          ${key} | ${oneLine(line, MAX_CHARS)}`);
  }
}

/** Characters of a line without a terminal. */
const MAX_CHARS = 2_000;

/** Lines of the terminal that are left for other text. */
const MARGIN = 3;

function createLiveView(shell: Shell, keys: readonly string[]): RunView {
  const rows = new Map<string, Row>(keys.map((key) => [key, { status: "pending", startedAt: null, detail: "" }]));
  let drawn = 0;

  function draw(): void {
    const height: unknown = Reflect.get(shell.messages, "rows");
    const room = Math.max(1, (typeof height === "number" ? height : 24) - MARGIN);
    const all = [...rows];
    // Of a long workflow, what is about to happen is left out first.
    const begun = all.filter(([, { status }]) => status !== "pending");
    const shown = all.length <= room ? all : begun.slice(-room);
    const length = shown.reduce((longest, [key]) => Math.max(longest, key.length), 0);
    const lines = shown.map(([key, { status, detail }]) =>
      `${MARKS[status] ?? " "} ${printable(key).padEnd(length)}  ${status.padEnd(9)}  ${oneLine(detail, MAX_CHARS)}`
        .slice(0, widthOf(shell) - 1)
        .trimEnd(),
    );
    const up = drawn > 0 ? `\u001b[${drawn}A\u001b[J` : "";
    shell.messages.write(up + lines.map((line) => `${line}\n`).join(""));
    drawn = lines.length;
  }

  draw();
  return {
    show(event) {
      if ("step" in event && event.type.startsWith("step.")) {
        const row = rows.get(event.step);
        rows.set(event.step, changed(row, event));
      }
      draw();
    },
    pause() {
      drawn = 0;
    },
    end({ steps }) {
      for (const step of steps) {
        const [from, to] = [step.started_at, step.finished_at].map((at) => (at === null ? null : Date.parse(at)));
        const { status, error } = step;
        const detail = error === null ? durationText(from ?? null, to ?? null) : `${error.code}: ${error.message}`;
        rows.set(step.key, { status, startedAt: from ?? null, detail: status === "skipped" ? "" : detail });
      }
      draw();
      // A line of the view has room for the last one only.
      const failed = steps.filter(({ status }) => status === "failed");
      printLogs(shell, failed);
    },
  };
}

function changed(row: Row = { status: "pending", startedAt: null, detail: "" }, event: RunEvent): Row {
  const at = event.at === null ? null : Date.parse(event.at);
  switch (event.type) {
    case "step.started":
      return { status: "running", startedAt: row.startedAt ?? at, detail: row.detail };
    case "step.log":
      return { ...row, detail: event.lines.at(-1) ?? "" };
    case "step.retrying":
      return { ...row, detail: `${event.error.code}: ${event.error.message}; another attempt follows` };
    case "step.delta":
      return { ...row, detail: (row.detail + event.text).slice(-200) };
    case "step.failed":
      return { ...row, status: "failed", detail: `${event.error.code}: ${event.error.message}` };
    case "step.succeeded":
      return { ...row, status: "succeeded", detail: durationText(row.startedAt, at) };
    default:
      return { ...row, status: event.type.slice("step.".length), detail: "" };
  }
}

function durationText(from: number | null, to: number | null): string {
  if (from === null || to === null) return "";
  const ms = to - from;
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
