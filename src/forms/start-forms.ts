/** Forms that start runs: those of webhooks with `form`, for browsers. */
import type { App } from "../apps/app.ts";
import { noReceipt } from "../documents/receipt.ts";
import { isStepwellError, type StepwellError } from "../errors.ts";
import type { FoundHook, Hooks } from "../hooks/hook-registry.ts";
import { pickFields } from "../hooks/pick-fields.ts";
import type { RequestReceipts } from "../hooks/request-receipts.ts";
import type { CheckSenderFiles } from "../hooks/sender-files.ts";
import { type JsonObject, sortedJson } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Ids } from "../ports/ids.ts";
import type { Runs } from "../runs/runs.ts";
import { definitionAt } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import type { Workflow } from "../workflows/workflow.ts";
import { contentsOf, mapFiles } from "./file-contents.ts";
import { formFieldsOf } from "./form-values.ts";
import { type Answer, checkSubmission, type FormContent, type OfferedConnections } from "./forms.ts";
import {
  type FormLimits,
  readSubmission,
  type Submission,
  type SubmissionParts,
  type SubmittedForm,
} from "./read-submission.ts";

/** The form of a webhook. */
export interface StartForm {
  readonly app: App;
  readonly title: string;
  readonly content: FormContent;
  readonly version: Version;
  readonly hook: FoundHook;
  /** A new key for its page. What the page sends with it starts one run, even if it is sent twice. */
  readonly once: string;
  /** Values that the path gives. */
  readonly fromPath: JsonObject;
}

/** Name of the control with the key of the page. It is no JSON Pointer (RFC 6901), so no field has it. */
export const ONCE_NAME = "/~once";

export interface StartForms {
  readonly limits: FormLimits;
  /** Finds a form at the path of a webhook; null if there is none, or a webhook for GET has the path. */
  find(appId: string, path: string): Promise<FoundHook | null>;
  open(hook: FoundHook): Promise<StartForm>;
  /**
   * Starts a run with what was submitted.
   * @throws StepwellError `malformed`, `too_large`, `too_many_requests`, `unsupported_media_type`, `unavailable`
   */
  start(form: StartForm, submitted: SubmittedForm): Promise<Answer>;
}

export function createStartForms(
  parts: SubmissionParts & {
    hooks: Pick<Hooks, "find">;
    receipts: RequestReceipts;
    runs: Pick<Runs, "create">;
    ids: Pick<Ids, "random">;
    checkSenderFiles: CheckSenderFiles;
    offered: OfferedConnections;
    getApp(appId: string): Promise<App>;
    getWorkflow(appId: string, workflowId: string): Promise<Workflow>;
    latest(appId: string, workflowId: string): Promise<Version>;
  },
): StartForms {
  const { hooks, receipts, runs, ids, checkSenderFiles, offered, getApp, getWorkflow, latest } = parts;

  /**
   * What a submission shares with its repeats only: the key of its page, and all values. Another answer from the same page,
   * such as after the button "back", is no repeat. Null for a sender without a key.
   */
  function receiptKey({ hook: { hook }, version, fromPath }: StartForm, { texts, values, files }: Submission) {
    const [once = ""] = texts.get(ONCE_NAME) ?? [];
    if (once === "") return null;
    const sent = mapFiles(definitionAt(version, hook.step_key), { ...values, ...fromPath }, (id) => {
      const file = files.get(String(id));
      return file === undefined ? id : contentsOf(file);
    });
    return receipts.keyOf(hook.id, sortedJson([once, sent]));
  }

  return {
    limits: { bodyBytes: parts.bodyBytes, fileBytes: parts.fileBytes },

    async find(appId, path) {
      if ((await hooks.find(appId, "GET", path)) !== null) return null;
      const found = await hooks.find(appId, "POST", path);
      return found?.hook.form === true && found.hook.secrets.length === 0 ? found : null;
    },

    async open(hook) {
      const { app_id, workflow_id, step_key } = hook.hook;
      const version = await latest(app_id, workflow_id);
      const startDefinition = definitionAt(version, step_key);
      const fromPath = pickFields(startDefinition, hook.params);
      const fieldsToAsk = Object.entries(startDefinition).filter(([name]) => !Object.hasOwn(fromPath, name));
      const definition = Object.fromEntries(fieldsToAsk);
      const { input_options, input_default } = version;
      const content = {
        ...{ definition, fields: formFieldsOf(definition, input_default ?? {}), options: input_options ?? {} },
        connections: await offered(app_id, definition),
      };
      const { name: title } = await getWorkflow(app_id, workflow_id);
      return { app: await getApp(app_id), title, content, version, hook, fromPath, once: ids.random(26) };
    },

    async start(form, submitted) {
      const { version, content, fromPath } = form;
      const { hook } = form.hook;
      const { fields } = content;
      const key = `form/${hook.id}/${ids.random(26)}`;
      const submission = await readSubmission(parts, {
        ...submitted,
        appId: hook.app_id,
        key,
        fields,
        keepsFiles: true,
      });
      const { definition } = content;
      const refused = await checkSubmission(checkSenderFiles, submission, { appId: hook.app_id, version, definition });
      if (refused !== null) return refused;
      const requestKey = receiptKey(form, submission);
      if (requestKey !== null && (await receipts.find(requestKey)) !== null) {
        await submission.discard();
        return { kind: "received" };
      }
      const receipt = requestKey === null ? noReceipt : receipts.receiptFor(requestKey);
      try {
        const create = { version: version.id, input: { ...submission.values, ...fromPath }, step_key: hook.step_key };
        await runs.create(hook.app_id, hook.workflow_id, create, { type: "form", id: hook.id }, receipt);
        return { kind: "received" };
      } catch (error) {
        if (!isStepwellError(error, "unavailable")) await submission.discard();
        if (requestKey !== null && (await receipts.findConcurrent(requestKey, error)) !== null)
          return { kind: "received" };
        if (!isStepwellError(error, "invalid")) throw error;
        return { kind: "refused", error: withoutBase(error), submission };
      }
    },
  };
}

/** An error whose pointers begin at the input, as the names of controls do. */
function withoutBase({ errors }: StepwellError): StepwellError {
  return invalid(errors.map((one) => ({ ...one, pointer: one.pointer.replace(/^\/input(?=\/|$)/, "") })));
}
