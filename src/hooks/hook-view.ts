/** An incoming webhook as callers see it. */
import * as v from "valibot";
import { RUN_STATUSES } from "../runs/run.ts";
import { strictObject } from "../schema.ts";
import { HookSignature, SignaturePut } from "../signatures/signature-settings.ts";
import { HTTP_METHODS, WebhookPath, WebhookResponse } from "../workflows/step.ts";

export const HookCreate = strictObject({
  /** HTTP method of the requests. */
  method: v.picklist(HTTP_METHODS),
  /** Path below `/public/apps/hooks/{app_id}/`, at most 1,024 characters. */
  path: v.pipe(WebhookPath, v.regex(/[^/]/, "Must not be empty.")),
  /** Signature that requests must have. */
  signature: SignaturePut,
});
/**
 * A new incoming webhook, which no workflow uses yet.
 * @example { "method": "POST", "path": "orders", "signature": { "scheme": "standard-webhooks" } }
 */
export interface HookCreate extends v.InferOutput<typeof HookCreate> {}

const hook = {
  /** `hook_…` */
  id: v.string(),
  /** App that owns the hook. */
  app_id: v.string(),
  /** HTTP method that the hook accepts. */
  method: v.string(),
  /** Path, without leading and trailing slashes. */
  path: v.string(),
  /** URL to send requests to. */
  url: v.string(),
  /** Workflow whose runs the webhook starts. Null while no deployed workflow uses the URL. */
  workflow_id: v.nullable(v.string()),
  /** Key of the input step that runs start at; null while no deployed workflow uses the URL. */
  step_key: v.nullable(v.string()),
  /** What the response contains: the id and the status of the run (`run`), or its output (`output`). */
  respond: WebhookResponse,
  /** Whether browsers get a form at the URL. */
  form: v.boolean(),
  /** Signature that requests must have; null if the hook accepts unsigned requests. */
  signature: v.nullable(HookSignature),
  /** ISO 8601. */
  created_at: v.string(),
} as const;

export const Hook = v.object(hook);
/** An incoming webhook: a URL that starts runs. */
export interface Hook extends Readonly<v.InferOutput<typeof Hook>> {
  /** Signature that requests must have; null if the hook accepts unsigned requests. */
  readonly signature: HookSignature | null;
}

/** The run that a request started, as its sender sees it: without its data. */
export const HookRun = v.object({
  /** `run_…` */
  id: v.string(),
  /** Status of the run. */
  status: v.picklist(RUN_STATUSES),
  /** Why the run failed. Absent unless it has failed or was canceled. */
  error: v.exactOptional(
    v.object({
      /** Error code. */
      code: v.string(),
    }),
  ),
});

export const SignedHook = v.object({
  ...hook,
  /** The secret, if Stepwell generated it. No later call returns it. */
  secret: v.exactOptional(v.string()),
});
/** A hook whose signature was just set, with the secret if Stepwell generated it. */
export interface SignedHook extends Readonly<v.InferOutput<typeof SignedHook>> {
  /** Signature that requests must have. */
  readonly signature: HookSignature | null;
}
