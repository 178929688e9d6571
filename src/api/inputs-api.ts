/** The functions of `stepwell.inputs`. */
import type { Page } from "../documents/pagination.ts";
import type { InputLink, InputLinkCreate, WaitingInput, WaitingRun } from "../forms/waiting-input.ts";
import type { WaitingRunListOptions } from "./list-options.ts";

/** Input steps that wait, and links to their forms. */
export interface InputsApi {
  /** Lists the runs that wait for input, with the fields that they ask for. Those that have waited longest come first. */
  list(appId: string, options?: WaitingRunListOptions): Promise<Page<WaitingRun>>;
  /** Returns what a waiting input step asks for. @throws StepwellError `conflict` if the step does not wait */
  get(appId: string, runId: string, stepKey: string): Promise<WaitingInput>;
  /**
   * Creates a link to the form of a waiting input step, for a person without a key. Anyone who has it can answer once; it ends
   * with the wait of the step. Its secret is not stored.
   * @throws StepwellError `conflict` if the step does not wait
   * @example `const { url } = await stepwell.inputs.createLink(app.id, run.id, "approval", { expires_in: 86_400 })`
   */
  createLink(appId: string, runId: string, stepKey: string, input?: InputLinkCreate): Promise<InputLink>;
  /** Revokes a link. */
  removeLink(appId: string, runId: string, stepKey: string, linkId: string): Promise<void>;
}
