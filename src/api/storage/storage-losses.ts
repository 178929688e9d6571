/** Says which resources and bytes a storage has lost: in words that a person knows, and not as keys of items. */
import type { FileDocument } from "../../files/file.ts";
import type { Document, Key } from "../../ports/store.ts";
import type { CheckBlob } from "../../storage/blobs/check-blob.ts";
import type { OnDocument, Survey } from "../../storage/repair/survey.ts";
import { versionKey } from "../../workflows/find-version.ts";
import type { Workflow } from "../../workflows/workflow.ts";
import { draftKey } from "../../workflows/workflows.ts";

/** Something that a storage has lost. */
export interface StorageLoss {
  /** Kind of the resource, such as `run` or `version`; `bytes` of a file; `commits` of the write-ahead log. */
  readonly kind: string;
  /** ID of the resource. That of the file for bytes, and the key of the log segment for commits. */
  readonly id: string;
  /** Name, in lower case if only a list still has it; null if it is unknown. */
  readonly name: string | null;
  /** How the loss shows. */
  readonly detail: string;
}

export interface LossFinder {
  readonly onDocument: OnDocument;
  /** @throws StepwellError `unavailable` if the driver fails */
  find(survey: Survey): Promise<readonly StorageLoss[]>;
}

/** Kinds of resources by the prefix of their IDs. A document has the key `KIND:ID`. */
const KINDS: Readonly<Record<string, string>> = {
  app: "app",
  key: "key",
  work: "workflow",
  workv: "version",
  run: "run",
  afile: "file",
  con: "connection",
  coll: "collection",
  rec: "record",
  tag: "tag",
  trig: "trigger",
  sched: "schedule",
  whk: "webhook",
  job: "job",
};
/** Kinds whose rows have the name as the first line of their search text. */
const NAMED = ["app", "workflow", "collection", "file", "tag", "connection"];

interface Need {
  /** One of them must exist. */
  readonly keys: readonly Key[];
  readonly name: string | null;
  /** The document that refers to it. */
  readonly by: string;
}

const idOf = (key: string) => key.slice(key.indexOf(":") + 1);
const kindOf = (key: string) => key.slice(0, key.indexOf(":"));

/** @param checkBlob Null if the bytes of files are not checked. */
export function createLossFinder(checkBlob: CheckBlob | null): LossFinder {
  const needs = new Map<string, readonly Need[]>();
  const files = new Map<string, FileDocument>();

  function onDocument(key: string, document: Document | null): void {
    if (kindOf(key) === "file") {
      if (document === null) files.delete(key);
      else files.set(key, document as FileDocument); // by the key
    }
    const found = document === null ? [] : needsOf(key, document);
    if (found.length === 0) needs.delete(key);
    else needs.set(key, found);
  }

  async function find(survey: Survey): Promise<readonly StorageLoss[]> {
    const losses = new Map<string, StorageLoss>();
    const add = (loss: StorageLoss) => {
      const key = `${loss.kind}:${loss.id}`;
      if (!losses.has(key)) losses.set(key, loss);
    };
    const texts = new Map([...survey.orphanedTexts].map(([row, text]) => [rowId(row), text.split("\n")[0] ?? null]));
    const nameOf = (kind: string, id: string) => (NAMED.includes(kind) ? (texts.get(id) ?? null) : null);
    const needed = [...needs.values()].flat().filter(({ keys }) => !keys.some(survey.exists));
    for (const { keys, name, by } of needed) {
      const [key = ""] = keys;
      const [kind, id] = [kindOf(key), idOf(key)];
      add({ kind, id, name: name ?? nameOf(kind, id), detail: `${by} refers to it.` });
    }
    for (const key of survey.lost) {
      const [kind, id] = [kindOf(key), idOf(key)];
      if (kind === "log")
        add({ kind: "commits", id: key, name: null, detail: "A part of the write-ahead log is lost." });
      else add({ kind, id, name: nameOf(kind, id), detail: "Its document is damaged or missing." });
    }
    for (const row of survey.orphaned) {
      const id = rowId(row);
      const kind = KINDS[/^([a-z]+)_/.exec(id)?.[1] ?? ""];
      if (kind === undefined || survey.exists(`${kind}:${id}`)) continue;
      add({ kind, id, name: nameOf(kind, id), detail: "A list refers to it." });
    }
    for (const { id, name, blob } of checkBlob === null ? [] : files.values()) {
      const detail = (await checkBlob?.(blob)) ?? null;
      if (detail !== null) add({ kind: "bytes", id, name, detail });
    }
    return [...losses.values()];
  }

  return { onDocument, find };
}

/** The ID of a row `LIST/ID`. */
const rowId = (row: string) => row.slice(row.indexOf("/") + 1);

/** What a document needs, and what a repair cannot restore. A deleted app leaves a marker until its data is purged. */
function needsOf(key: string, document: Document): Need[] {
  const kind = kindOf(key);
  if (!["workflow", "collection", "file"].includes(kind) || !("app_id" in document)) return [];
  const appId = String(document.app_id);
  const name = "name" in document && typeof document.name === "string" ? document.name : "";
  const by = `The ${kind} ${idOf(key)} (${JSON.stringify(name)})`;
  const app: Need = { keys: [`app:${appId}`, `deleted-app:${appId}`], name: null, by };
  if (kind !== "workflow") return [app];
  const { id, latest_version, latest_version_id } = document as Workflow; // by the key
  const draft: Need = { keys: [draftKey(id)], name: `the draft of ${JSON.stringify(name)}`, by };
  if (latest_version_id === null) return [app, draft];
  const versionName = `version ${latest_version} of ${JSON.stringify(name)}`;
  return [app, draft, { keys: [versionKey(latest_version_id)], name: versionName, by }];
}
