/** An incoming webhook as stored: a URL of an app, the step that it starts at, and the signature that it requires. */
import type { SigningSecret } from "../signatures/signature-form.ts";

/** A hook. A method and a path of an app belong to at most one workflow. */
export interface HookDocument {
  /** `hook_` and a hash of the app, the method and the path, so the id survives deployments. */
  readonly id: string;
  readonly app_id: string;
  readonly method: string;
  /** Without leading and trailing slashes. */
  readonly path: string;
  /** Null while no deployed workflow has the URL, which is then kept for its secrets. */
  readonly workflow_id: string | null;
  readonly step_key: string | null;
  /** What the response contains: the run, or its output. */
  readonly respond: "run" | "output";
  /** Whether browsers get a form. */
  readonly form: boolean;
  /** Newest first. Empty if the hook accepts unsigned requests. */
  readonly secrets: readonly SigningSecret[];
  readonly created_at: string;
}
