/** New steps, and keys that no other step has. Pure. */
import type { Step, StepType } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";

export const STEP_TYPES = [
  "input",
  "code",
  "http_request",
  "branch",
  "model",
  "service",
  "workflow",
  "browser",
  "note",
] as const satisfies readonly StepType[];

/** What a person chooses: a type, or an action of a service. */
export type StepKind =
  | { readonly type: Exclude<StepType, "service"> }
  | { readonly type: "service"; readonly service: string; readonly action: string };

/** Letters of keys that expressions can read without quotes. */
const OTHER_LETTERS = /[^A-Za-z0-9_]+/g;

/** Short names, which people then change. */
const BASES: Readonly<Record<StepType, string>> = {
  note: "note",
  input: "input",
  branch: "branch",
  code: "code",
  model: "model",
  http_request: "request",
  browser: "page",
  workflow: "workflow",
  service: "action",
};

/** A step with the least that its type needs. */
export function newStep(definition: Definition, kind: StepKind): Step {
  const base = kind.type === "service" ? kind.action.replaceAll(OTHER_LETTERS, "_") : BASES[kind.type];
  const isFirstInput = kind.type === "input" && !definition.steps.some(({ type }) => type === "input");
  const key = freeKey(new Set(definition.steps.map((step) => step.key)), isFirstInput ? "start" : base || "step");
  switch (kind.type) {
    case "note":
      return { type: "note", key, note: "" };
    case "input":
      return { type: "input", key, input: {} };
    case "branch":
      return { type: "branch", key, conditions: { yes: { destinations: [], order: 0 } } };
    case "code":
      // Empty, so that the editor shows an example: what is typed would be appended to code that returns.
      return { type: "code", key, code: "" };
    case "model":
      return { type: "model", key, provider: { provider: "", model: "", messages: "" } };
    case "http_request":
      return { type: "http_request", key, url: "https://" };
    case "browser":
      return { type: "browser", key, url: "https://" };
    case "workflow":
      return { type: "workflow", key, input: null };
    case "service":
      return { type: "service", key, service: { service: kind.service, action: kind.action, input: {} } };
  }
}

/** The key itself, or with the first number that makes it new. */
export function freeKey(taken: ReadonlySet<string>, wanted: string): string {
  if (!taken.has(wanted)) return wanted;
  const numbered = /^(.*)_\d{1,6}$/.exec(wanted)?.[1] ?? wanted;
  for (let number = 2; ; number++) {
    const key = `${numbered.slice(0, 120)}_${number}`;
    if (!taken.has(key)) return key;
  }
}
