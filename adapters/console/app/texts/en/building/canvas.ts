import { plural } from "../../plural.ts";

/** The canvas, and the names of the types of steps. */
export const canvas = {
  types: {
    note: "Note",
    input: "Input",
    branch: "Branch",
    code: "Code",
    model: "Model",
    http_request: "HTTP request",
    browser: "Web page",
    workflow: "Workflow",
    service: "Service",
  },
  features: {
    conditional: "only if a condition holds",
    loop: "repeats until a condition holds",
    forEach: "runs for each item of a list",
    retry: "has its own retry policy",
    continues: "a failure does not stop the run",
    auto: "a model fills in fields",
    webhook: "has a webhook",
  },
  changes: { added: "added", removed: "removed", changed: "changed" },
  place: (index: number, count: number) => `${index} of ${count}`,
  problems: (count: number) => plural("en", count, { one: "problem", other: "problems" }),
  leadsTo: (steps: string, others: number) =>
    others === 0 ? `leads to ${steps}` : `leads to ${steps} and ${others} more`,
  leadsNowhere: "leads nowhere",
  else: "else",
  onError: "on error",
  edge: (from: string, to: string) => `Edge from ${from} to ${to}`,
  selected: (count: number) => `${plural("en", count, { one: "step", other: "steps" })} selected`,
  selectionCleared: "Selection cleared.",
  view: "View",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  fit: "Show everything",
  map: "Map of the canvas",
  addBehind: (step: string) => `Add a step after ${step}`,
  addBetween: (from: string, to: string) => `Add a step between ${from} and ${to}`,
};
