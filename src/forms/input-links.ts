/** Links to the forms of waiting input steps. Each is for one wait: it ends when the step gets its input. */
import type { Receipt } from "../documents/receipt.ts";
import { createSecretLinks, unknownLink } from "../documents/secret-links.ts";
import { isStepwellError } from "../errors.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store } from "../ports/store.ts";
import type { Run } from "../runs/run.ts";
import type { InputWait } from "../runs/run-executor.ts";
import type { InputLink, InputLinkCreate, InputLinkDocument } from "./waiting-input.ts";
import { type InputStep, type InputWaiting, notWaiting, type WaitingInputs } from "./waiting-inputs.ts";

/** Where the wait of a link stands. */
export type LinkState =
  | { readonly state: "open"; readonly waiting: InputWaiting }
  /** `early`: the run has not reached the step. `over`: the step has got its input, or the run has ended. */
  | { readonly state: "early" | "over" };

/** What an address leads to. */
export type LinkTarget = InputStep & LinkState & { readonly link: InputLinkDocument };

/** Where a link stands in the API. */
export interface LinkPath extends Pick<InputLinkDocument, "app_id" | "run_id" | "step_key"> {
  readonly link_id: string;
}

export interface InputLinks {
  /** @throws StepwellError `not_found`; `conflict` if the step has got its input, or the run has ended */
  create(appId: string, runId: string, stepKey: string, input: InputLinkCreate, receipt: Receipt): Promise<InputLink>;
  /** Revokes a link. @throws StepwellError `not_found` */
  remove(link: LinkPath): Promise<void>;
  /** @throws StepwellError `not_found` for an unknown or revoked link; `link_expired` */
  open(token: string): Promise<LinkTarget>;
}

export function createInputLinks(parts: {
  store: Store;
  clock: Clock;
  ids: Pick<Ids, "random">;
  hash: Hash;
  waitingInputs: WaitingInputs;
  getRun(appId: string, runId: string): Promise<Run>;
  /** @throws StepwellError `not_found` */
  getApp(appId: string): Promise<unknown>;
  /** Start of `url`, without a trailing slash. */
  baseUrl: string;
}): InputLinks {
  const { store, waitingInputs, getRun, baseUrl } = parts;
  const links = createSecretLinks<InputLinkDocument>({ ...parts, kind: "input-link" });

  /** The wait that a link is for: the current one, or the first if the run has not reached the step. */
  async function waitFor(appId: string, runId: string, stepKey: string): Promise<InputWait> {
    const { waiting, retries } = await waitingInputs.find(appId, runId, stepKey);
    if (waiting !== null) return waiting.wait;
    if (!(await isAhead(appId, runId, stepKey))) throw notWaiting();
    return { iteration: 1, retries };
  }

  /** Whether the run has not reached the step. */
  async function isAhead(appId: string, runId: string, stepKey: string): Promise<boolean> {
    const { steps } = await getRun(appId, runId);
    return steps.some(({ key, status }) => key === stepKey && status === "pending");
  }

  return {
    async create(
      appId,
      runId,
      stepKey,
      { expires_in, language = null, title = null, text = null, markdown = null },
      receipt,
    ) {
      if (text !== null && markdown !== null)
        throw invalid([{ pointer: "/markdown", message: "Must not be combined with text." }]);
      const wait = await waitFor(appId, runId, stepKey);
      const content = { app_id: appId, run_id: runId, step_key: stepKey, wait, language, title, text, markdown };
      const { id, token, expires_at, change } = links.issue(content, expires_in);
      const link: InputLink = { id, url: `${baseUrl}/public/apps/inputs/${token}`, expires_at };
      await store.commit([change, ...receipt(link)]);
      return link;
    },

    remove: ({ app_id, run_id, step_key, link_id }) =>
      links.remove(link_id, (link) => link.app_id === app_id && link.run_id === run_id && link.step_key === step_key),

    async open(token) {
      const link = await links.open(token);
      try {
        const { waiting, ...step } = await waitingInputs.find(link.app_id, link.run_id, link.step_key);
        if (waiting !== null && isWaitOf(link, waiting)) return { link, ...step, state: "open", waiting };
        const isSameTry = waiting === null && step.retries === link.wait.retries;
        const isEarly = isSameTry && (await isAhead(link.app_id, link.run_id, link.step_key));
        return { link, ...step, state: isEarly ? "early" : "over" };
      } catch (error) {
        if (isStepwellError(error, "not_found")) throw unknownLink(); // the run was deleted
        throw error;
      }
    },
  };
}

/** A loop, or a retry of the run, lets the step wait again; the link does not count for that. */
function isWaitOf({ wait }: InputLinkDocument, waiting: InputWaiting): boolean {
  return waiting.wait.iteration === wait.iteration && waiting.wait.retries === wait.retries;
}
