/** Forms of waiting input steps, for people without a key. */
import type { App } from "../apps/app.ts";
import type { Connection } from "../connections/connection.ts";
import type { Page } from "../documents/pagination.ts";
import { isStepwellError, type StepwellError } from "../errors.ts";
import type { CheckSenderFiles } from "../hooks/sender-files.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Ids } from "../ports/ids.ts";
import type { Runs } from "../runs/runs.ts";
import type { Language } from "../web-pages/languages.ts";
import { checkInput } from "../workflows/input/check-input.ts";
import type { InputDefinition, InputField, InputOptions } from "../workflows/input/input-field.ts";
import type { Version } from "../workflows/version.ts";
import { type FormField, formFieldsOf, hasFieldOfType } from "./form-values.ts";
import type { InputLinks, LinkTarget } from "./input-links.ts";
import {
  type FormLimits,
  readSubmission,
  type Submission,
  type SubmissionParts,
  type SubmittedForm,
  sentWith,
} from "./read-submission.ts";
import type { IsStored } from "./repeated-answer.ts";
import type { WaitingInput } from "./waiting-input.ts";

/** A connection that a field offers. */
export interface OfferedConnection {
  readonly id: string;
  readonly name: string;
  readonly service: string;
}

/** The form of a link, and whether it can be answered now. */
export type LinkForm = FormHead & {
  readonly target: LinkTarget;
} & ({ readonly state: "open"; readonly content: InputFormContent } | { readonly state: "early" | "over" });

export interface FormHead {
  readonly app: App;
  /** Language that the link asks for; null for that of the browser. */
  readonly language: Language | null;
  readonly title: string | null;
  /** Plain text. */
  readonly text: string | null;
  readonly markdown: string | null;
}

/** The fields of a form, and what its page needs to show them. */
export interface FormContent {
  readonly definition: InputDefinition;
  readonly fields: readonly FormField[];
  readonly options: InputOptions;
  readonly connections: readonly OfferedConnection[];
}

export interface InputFormContent extends WaitingInput, FormContent {
  readonly definition: InputDefinition;
}

/** Returns the connections that the fields of a form may offer. */
export type OfferedConnections = (appId: string, definition: InputDefinition) => Promise<readonly OfferedConnection[]>;

export type Answer =
  /** The values are stored. */
  | { readonly kind: "received" }
  /** Another answer came first, or the run has ended. */
  | { readonly kind: "over" }
  /** The run has not reached the step. */
  | { readonly kind: "early" }
  /** The values are not accepted; nothing was stored. */
  | { readonly kind: "refused"; readonly error: StepwellError; readonly submission: Submission };

export interface Forms {
  readonly limits: FormLimits;
  /** @throws StepwellError `not_found`, `link_expired` */
  open(token: string): Promise<LinkForm>;
  /**
   * Provides the input step with what was submitted. A repeat of the same values gets the same answer.
   * @throws StepwellError `malformed`, `too_large`, `unsupported_media_type`, `unavailable`
   */
  answer(form: LinkForm, submitted: SubmittedForm): Promise<Answer>;
}

/** Connections that a field offers. */
const MAX_CONNECTIONS = 100;

export function createForms(
  parts: SubmissionParts & {
    links: Pick<InputLinks, "open" | "markUsed">;
    runs: Pick<Runs, "provide">;
    isStored: IsStored;
    checkSenderFiles: CheckSenderFiles;
    ids: Pick<Ids, "random">;
    getApp(appId: string): Promise<App>;
    offered: OfferedConnections;
  },
): Forms {
  const { links, runs, isStored, checkSenderFiles, ids, getApp, offered } = parts;

  async function contentOf(target: LinkTarget & { readonly state: "open" }): Promise<InputFormContent> {
    const { link, waiting, version, definition } = target;
    return {
      ...{ ...waiting.input, fields: fieldsOf(target), options: version.input_options ?? {} },
      connections: await offered(link.app_id, definition),
    };
  }

  /** The values are stored. That the link does not learn of it must not fail the answer. */
  async function received({ link }: LinkTarget): Promise<Answer> {
    await links.markUsed(link.id).catch(() => undefined);
    return { kind: "received" };
  }

  /** The answer to what arrives when the step no longer waits. */
  async function afterwards(target: LinkTarget, submission: Submission): Promise<Answer> {
    return (await isStored(target, submission)) ? received(target) : { kind: "over" };
  }

  return {
    limits: { bodyBytes: parts.bodyBytes, fileBytes: parts.fileBytes },

    async open(token) {
      const target = await links.open(token);
      const { app_id, language, title, text, markdown } = target.link;
      const head = { target, app: await getApp(app_id), language, title, text, markdown };
      if (target.state !== "open") return { ...head, state: target.state };
      return { ...head, state: target.state, content: await contentOf(target) };
    },

    async answer({ target }, submitted) {
      const { link } = target;
      const fields = fieldsOf(target);
      const key = `input-link/${link.id}/${ids.random(26)}`;
      const request = { ...submitted, appId: link.app_id, key, fields, keepsFiles: target.state === "open" };
      const submission = await readSubmission(parts, request);
      const { values, isFromPage } = submission;
      if (target.state !== "open") return target.state === "early" ? { kind: "early" } : afterwards(target, submission);
      const { version, definition } = target;
      const refused = await checkSubmission(checkSenderFiles, submission, { appId: link.app_id, version, definition });
      if (refused !== null) return refused;
      try {
        await runs.provide(link.app_id, link.run_id, link.step_key, values, {
          wait: target.waiting.wait,
          keepsNull: isFromPage,
        });
      } catch (error) {
        if (!isStepwellError(error, "unavailable")) await submission.discard();
        if (isStepwellError(error, "conflict")) return afterwards(target, submission);
        if (isStepwellError(error, "not_found")) return { kind: "over" };
        if (!isStepwellError(error, "invalid")) throw error;
        return { kind: "refused", error, submission };
      }
      return received(target);
    },
  };
}

/** Refuses what came without effect, and files that a sender must not name, together with what is wrong with the values. */
export async function checkSubmission(
  checkSenderFiles: CheckSenderFiles,
  submission: Submission,
  to: { readonly appId: string; readonly version: Version; readonly definition: InputDefinition },
): Promise<Answer | null> {
  const { values, isFromPage } = submission;
  const { appId, version, definition } = to;
  const unusable = await checkSenderFiles({ appId, definition, values, sent: sentWith(submission), base: [] });
  if (submission.errors.length === 0 && unusable.length === 0) return null;
  await submission.discard();
  const { errors } = checkInput(definition, values, version.input_default ?? {}, [], isFromPage);
  return { kind: "refused", error: invalid([...submission.errors, ...unusable, ...errors]), submission };
}

const fieldsOf = ({ version, definition }: Pick<LinkTarget, "version" | "definition">) =>
  formFieldsOf(definition, version.input_default ?? {});

export function createOfferedConnections(
  list: (appId: string, query: { page: number; take: number }) => Promise<Page<Connection>>,
): OfferedConnections {
  return async (appId, definition) => {
    if (!hasFieldOfType(definition, "connection")) return [];
    const { items } = await list(appId, { page: 1, take: MAX_CONNECTIONS });
    return items.map(({ id, name, service }) => ({ id, name, service }));
  };
}

/** The connections that a field accepts. */
export function acceptedBy(field: InputField, connections: readonly OfferedConnection[]): readonly OfferedConnection[] {
  const { allowed_types = null } = field.type === "connection" ? field : {};
  return connections.filter(({ service }) => allowed_types === null || allowed_types.includes(service));
}
