/** Deploys a file: creates its workflow or finds it by its name, and deploys a new version if the file differs. */

import { isStepwellError } from "../../../src/errors.ts";
import type { DraftReplace, Version, WorkflowCreate } from "../../../src/index.ts";
import { omitUndefined } from "../../../src/json.ts";
import { type FoundWorkflow, findByName } from "../server/find-workflow.ts";
import { type CliClient, OWN_APP } from "../server/open-client.ts";
import { serverChecked } from "../server/server-checked.ts";
import { type CommandError, refused } from "../terminal/failure.ts";
import { aboutIn, definitionIn, problemsIn, type WorkflowFile } from "./workflow-file.ts";

export interface DeployOptions {
  readonly notes?: string | undefined;
  /** The workflow to deploy to, instead of the one with the name in the file. */
  readonly workflowId?: string | undefined;
  /** Whether to only check the file. */
  readonly isDryRun?: boolean | undefined;
}

export interface Deployed {
  readonly file: string;
  readonly name: string;
  /** Null for a workflow that a dry run would create. */
  readonly workflow_id: string | null;
  readonly status: "deployed" | "unchanged" | "valid";
  /** Null before the first deployment. */
  readonly version: number | null;
}

export function deployedText({ status, version }: Deployed): string {
  if (status === "deployed") return `deployed as version ${version}`;
  return status === "valid" ? "valid" : `unchanged, version ${version}`;
}

/** @throws CommandError with the line of each problem of the file */
export async function deployFile(
  client: CliClient,
  file: WorkflowFile,
  options: DeployOptions = {},
): Promise<Deployed> {
  const { notes, workflowId, isDryRun = false } = options;
  const existing =
    workflowId === undefined ? await findByName(client, file.name) : await client.workflows.get(OWN_APP, workflowId);
  try {
    if (existing === null) return await create(client, file, { notes, isDryRun });
    return await update(client, file, existing, { notes, isDryRun });
  } catch (error) {
    if (isStepwellError(error) && error.errors.length > 0) throw invalidFile(file, error.errors);
    throw error;
  }
}

interface Settings {
  readonly notes: string | undefined;
  readonly isDryRun: boolean;
}

async function create(client: CliClient, file: WorkflowFile, { notes, isDryRun }: Settings): Promise<Deployed> {
  const { workflows } = client;
  const { id } = await workflows.create(OWN_APP, serverChecked<WorkflowCreate>(file.content));
  let isKept = false;
  try {
    const result = { file: file.path, name: file.name };
    if (isDryRun) {
      await validate(client, file, id);
      return { ...result, workflow_id: null, status: "valid", version: null };
    }
    const { version } = await workflows.deploy(OWN_APP, id, omitUndefined({ notes }));
    isKept = true;
    return { ...result, workflow_id: id, status: "deployed", version };
  } finally {
    // A workflow without a version is of no use, and the next attempt would find it.
    if (!isKept) await workflows.remove(OWN_APP, id);
  }
}

async function update(
  client: CliClient,
  file: WorkflowFile,
  { id, latest_version, ...existing }: FoundWorkflow,
  { notes, isDryRun }: Settings,
): Promise<Deployed> {
  const { workflows } = client;
  const result = { file: file.path, name: file.name, workflow_id: id };
  await validate(client, file, id);
  const about = aboutIn(file);
  const isRenamed = Object.entries(about).some(([name, value]) => Reflect.get(existing, name) !== value);
  const latest = latest_version === null ? null : await latestOf(client, id);
  const { compareWithFile, isSame } = await import("./compare-file.ts");
  const isDeployed = latest !== null && isSame(compareWithFile(latest, definitionIn(file)));
  if (isDryRun) return { ...result, status: isDeployed ? "unchanged" : "valid", version: latest_version };
  if (isRenamed) await workflows.update(OWN_APP, id, about);
  if (isDeployed) return { ...result, status: "unchanged", version: latest_version };
  const { revision } = await workflows.putDraft(OWN_APP, id, serverChecked<DraftReplace>(definitionIn(file)));
  // If somebody changes the draft meanwhile, it is not the file's any more.
  const deployment = omitUndefined({ notes, expected_revision: revision });
  const { version }: Version = await workflows.deploy(OWN_APP, id, deployment);
  return { ...result, status: "deployed", version };
}

/** Null also for a version that the storage has lost: deploying again replaces it. */
async function latestOf({ workflows }: CliClient, id: string): Promise<Version | null> {
  try {
    return await workflows.getVersion(OWN_APP, id, "latest");
  } catch (error) {
    if (isStepwellError(error, "not_found")) return null;
    throw error;
  }
}

/** The draft stays as it is if the file is invalid. */
async function validate(client: CliClient, file: WorkflowFile, id: string): Promise<void> {
  const { valid, errors } = await client.workflows.validate(OWN_APP, id, definitionIn(file));
  if (!valid) throw invalidFile(file, errors);
}

function invalidFile(file: WorkflowFile, errors: Parameters<typeof problemsIn>[1]): CommandError {
  const count = errors.length === 1 ? "a problem" : `${errors.length} problems`;
  return refused(`${file.path} has ${count} and was not deployed.`, undefined, problemsIn(file, errors));
}
