import { capitalized } from "../../capitalized.ts";
import { plural } from "../../plural.ts";

/** A version in the title of a difference. */
export type Compared = number | "latest" | "draft";

const compared = (version: Compared): string =>
  typeof version === "number" ? `version ${version}` : version === "draft" ? "the draft" : "the latest version";

/** Versions of a workflow and their differences. */
export const versions = {
  title: (workflow: string) => `Versions of ${workflow}`,
  version: (version: number) => `Version ${version}`,
  versionOf: (version: string, workflow: string) => `${version} of ${workflow}`,
  latest: "latest",
  latestVersion: "Latest version",
  draft: "Draft",
  number: "Version",
  notes: "Notes",
  notesOf: (version: number) => `Notes of v${version}:`,
  by: "By",
  date: "Deployed",
  rolledBack: (version: number) => `rolled back to v${version}`,
  compare: "Compare",
  compareWithDraft: "Compare with the draft",
  compareWithLatest: "Compare with the latest",
  compareWithBefore: "What changed",
  compareTitle: (from: Compared, to: Compared, workflow: string) =>
    `${capitalized(compared(from))} and ${compared(to)} of ${workflow}`,
  from: "From",
  to: "To",
  rollBack: "Roll back to it…",
  rollBackTitle: (version: number) => `Roll back to version ${version}`,
  rollBackText: (version: number, next: number) =>
    `Deploys version ${version} again, as version ${next}. The draft stays as it is.`,
  fileReplaces: (path: string) =>
    `stepwell dev deploys ${path} over this version when it starts again, and when the file is saved. To keep this version, download its definition into that file.`,
  rollBackAction: "Roll back",
  runsOf: "Runs",
  openDraft: "Open the draft",
  empty: "Nothing is deployed yet.",
  emptyText: "Deploy the draft to create the first version.",
  same: "There is no difference.",
  summary: (added: number, removed: number, changed: number) =>
    `${added} added, ${removed} removed, ${changed} changed`,
  layoutHidden: (count: number) =>
    `${plural("en", count, { one: "change", other: "changes" })} of positions and sizes, which change no run`,
  moved: (count: number) => `${plural("en", count, { one: "step", other: "steps" })} moved in the list`,
  stepAdded: "Added",
  stepRemoved: "Removed",
  stepChanged: "Changed",
  stepRenamed: (from: string) => `Renamed from ${from}`,
  part: {
    input: "Input fields",
    input_default: "Values of fields",
    input_options: "Layout of the form",
    settings: "Settings of runs",
  },
  before: "Before",
  after: "After",
  nothing: "not set",
  equalLines: (count: number) => `${plural("en", count, { one: "equal line", other: "equal lines" })}`,
  lineAdded: "added",
  lineRemoved: "removed",
  truncated: "There are more differences.",
  canvases: "Both canvases",
  list: "By step and field",
  views: "View",
  canvasOf: (version: string) => `Canvas of ${version}`,
};
