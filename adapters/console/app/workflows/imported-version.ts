/** What an import makes of JSON: a draft, or a version that is deployed. Pure. */
import type { JsonObject } from "../../../../src/json.ts";
import { exportedWorkflow } from "./imported-name.ts";

/** @returns The number in an exported document; null for a document of several workflows, and where it does not say. */
export function importedVersion(value: JsonObject): number | "draft" | null {
  if (!("format" in value)) return "draft";
  const versions = exportedWorkflow(value)?.["versions"];
  const { root_version: exported } = value;
  if (value["root"] === undefined) return null;
  if (typeof exported === "number" && exported > 0) return exported;
  return Array.isArray(versions) && versions.length > 0 ? null : "draft";
}
