/** The functions of `stepwell.inputs`. */
import type { Page } from "../documents/pagination.ts";
import type { InputLink, InputLinkCreate, ListedInputLink, WaitingInput, WaitingRun } from "../forms/waiting-input.ts";
import type { AllOptions, ListOptions, WaitingRunListOptions } from "./list-options.ts";

/** Waiting input steps, and links to their forms. */
export interface InputsApi {
  /** Lists the runs that wait for input, longest-waiting first, with the fields that they ask for. */
  list(appId: string, options?: WaitingRunListOptions): Promise<Page<WaitingRun>>;
  /** Iterates over all runs that wait for input, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions<WaitingRunListOptions>): AsyncIterable<WaitingRun>;
  /**
   * Returns the fields that a waiting input step asks for. @throws StepwellError `conflict` if the step is not waiting
   */
  get(appId: string, runId: string, stepKey: string): Promise<WaitingInput>;
  /**
   * Creates a link to the form of a waiting input step, for a person without an API key. Anyone with the link can
   * submit the form once, while the step waits. Stepwell does not store the secret in the URL.
   * @param input `expires_in` is in seconds, by default 604,800 (7 days).
   * @throws StepwellError `conflict` if the step is not waiting
   * @example `const { url } = await stepwell.inputs.createLink(app.id, run.id, "approval", { expires_in: 86_400 })`
   */
  createLink(appId: string, runId: string, stepKey: string, input?: InputLinkCreate): Promise<InputLink>;
  /** Lists the links to the form of an input step, newest first, without their URLs. */
  listLinks(appId: string, runId: string, stepKey: string, options?: ListOptions): Promise<Page<ListedInputLink>>;
  /** Iterates over all links to the form of an input step, as {@link listLinks} lists them, page by page. */
  listAllLinks(appId: string, runId: string, stepKey: string, options?: AllOptions): AsyncIterable<ListedInputLink>;
  /** Revokes a link. */
  removeLink(appId: string, runId: string, stepKey: string, linkId: string): Promise<void>;
}
