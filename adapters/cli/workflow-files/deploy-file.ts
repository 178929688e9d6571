/** Deploys a file: creates its workflow or finds it by its name, and deploys a new version if the file differs. */

import { isStepwellError } from "../../../src/errors.ts";
import type { Draft, DraftReplace, Version, WorkflowCreate } from "../../../src/index.ts";
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
  /** How what others have changed is treated. @default it is replaced silently */
  readonly others?: Others | undefined;
}

/** How a deployment treats what others have changed, such as people in the console. */
export interface Others {
  /**
   * The user for whom the client deploys, so that versions of everybody else count as replaced. Absent where a person asks
   * for the deployment: each version replaces the one before.
   */
  readonly ownUser?: string;
  /** Stores a draft with changes that nobody has deployed, before the file replaces it. Returns its path. */
  readonly keepDraft: (workflow: { id: string; name: string }, draft: Draft) => Promise<string>;
}

export interface Deployed {
  readonly file: string;
  readonly name: string;
  /** Null for a workflow that a dry run would create. */
  readonly workflow_id: string | null;
  readonly status: "deployed" | "unchanged" | "valid";
  /** Null before the first deployment. */
  readonly version: number | null;
  /** The version that was the latest one, if somebody else had deployed it. */
  readonly replaced_version?: number;
  /** Path of a file with the draft as it was, if it had changes that nobody had deployed. */
  readonly kept_draft?: string;
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
  const { notes, workflowId, isDryRun = false, others } = options;
  const existing =
    workflowId === undefined ? await findByName(client, file.name) : await client.workflows.get(OWN_APP, workflowId);
  try {
    if (existing === null) return await create(client, file, { notes, isDryRun });
    return await update(client, file, existing, { notes, isDryRun, others });
  } catch (error) {
    if (isStepwellError(error) && error.errors.length > 0) throw invalidFile(file, error.errors);
    throw error;
  }
}

interface Settings {
  readonly notes: string | undefined;
  readonly isDryRun: boolean;
  readonly others?: Others | undefined;
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
  { notes, isDryRun, others }: Settings,
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
  const replaced = others === undefined ? {} : await replacing(client, file, { id, latest }, others);
  const { kept_draft, draft_revision, replaced_version } = replaced;
  const definition = serverChecked<DraftReplace>(definitionIn(file));
  const { revision } = await workflows.putDraft(OWN_APP, id, {
    ...definition,
    ...omitUndefined({ expected_revision: draft_revision }),
  });
  // If somebody changes the draft meanwhile, it is not the file's any more.
  const deployment = omitUndefined({ notes, expected_revision: revision });
  const { version }: Version = await workflows.deploy(OWN_APP, id, deployment);
  return { ...result, status: "deployed", version, ...omitUndefined({ kept_draft, replaced_version }) };
}

interface Replaced extends Pick<Deployed, "kept_draft" | "replaced_version"> {
  /** Revision of the draft that may be replaced. */
  readonly draft_revision?: number;
}

/** What a deployment is about to replace that others have changed. */
async function replacing(
  client: CliClient,
  file: WorkflowFile,
  { id, latest }: { id: string; latest: Version | null },
  { ownUser, keepDraft }: Others,
): Promise<Replaced> {
  const draft = await client.workflows.getDraft(OWN_APP, id);
  const { isUndeployed } = await import("./undeployed-draft.ts");
  const isLost = isUndeployed(draft, latest, definitionIn(file));
  const isForeign = latest !== null && ownUser !== undefined && latest.created_by?.id !== ownUser;
  return {
    draft_revision: draft.revision,
    ...omitUndefined({
      kept_draft: isLost ? await keepDraft({ id, name: file.name }, draft) : undefined,
      replaced_version: isForeign ? latest.version : undefined,
    }),
  };
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
