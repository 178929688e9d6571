/** Links to the forms of waiting input steps. Each is for one wait: it ends when the step gets its input. */
import { authorOf } from "../calls/author-of.ts";
import type { Caller } from "../calls/caller.ts";
import { listPage, type PageQuery, updateDocument } from "../documents/documents.ts";
import type { Page } from "../documents/pagination.ts";
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
import { instant } from "../time/iso.ts";
import type { InputLink, InputLinkCreate, InputLinkDocument, ListedInputLink } from "./waiting-input.ts";
import { type InputStep, type InputWaiting, notWaiting, type WaitingInputs } from "./waiting-inputs.ts";

/** Where the wait of a link stands. */
export type LinkState =
  | { readonly state: "open"; readonly waiting: InputWaiting }
  /** `early`: the run has not reached the step. `over`: the step has got its input, or the run has ended. */
  | { readonly state: "early" | "over" };

/** What an address leads to. */
export type LinkTarget = InputStep & LinkState & { readonly link: InputLinkDocument };

/** An input step of a run in the API. */
export interface StepPath extends Pick<InputLinkDocument, "app_id" | "run_id" | "step_key"> {}

/** Where a link stands in the API. */
export interface LinkPath extends StepPath {
  readonly link_id: string;
}

export interface InputLinks {
  /** @throws StepwellError `not_found`; `conflict` if the step has got its input, or the run has ended */
  create(step: StepPath, input: InputLinkCreate, caller: Caller, receipt: Receipt): Promise<InputLink>;
  /** Lists the links of a step, newest first. @throws StepwellError `not_found` for an unknown run or input step */
  list(step: StepPath, query: PageQuery): Promise<Page<ListedInputLink>>;
  /** Revokes a link. @throws StepwellError `not_found` */
  remove(link: LinkPath): Promise<void>;
  /** @throws StepwellError `not_found` for an unknown or revoked link; `link_expired` */
  open(token: string): Promise<LinkTarget>;
  /** Remembers that the form was submitted through a link. */
  markUsed(linkId: string): Promise<void>;
}

/** The links of a run. The keys of steps, which users choose, are marks in it. */
const linksOf = (runId: string) => `input-links.${runId}`;
const markOf = (stepKey: string) => `step:${stepKey}`;

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
  const { store, clock, waitingInputs, getRun, baseUrl } = parts;
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

  /** Where the wait of each link of a step stands now. */
  async function statesOf({ app_id, run_id, step_key }: StepPath) {
    const { waiting, retries } = await waitingInputs.find(app_id, run_id, step_key);
    const isStepAhead = waiting === null && (await isAhead(app_id, run_id, step_key));
    return (link: InputLinkDocument): LinkState["state"] => {
      if (waiting !== null && isWaitOf(link, waiting)) return "open";
      return isStepAhead && retries === link.wait.retries ? "early" : "over";
    };
  }

  return {
    async create(step, { expires_in, language = null, title = null, text = null, markdown = null }, caller, receipt) {
      if (text !== null && markdown !== null)
        throw invalid([{ pointer: "/markdown", message: "Must not be combined with text." }]);
      const { app_id, run_id, step_key } = step;
      const content = {
        ...{ app_id, run_id, step_key, wait: await waitFor(app_id, run_id, step_key) },
        ...{ language, title, text, markdown },
        ...{ created_at: instant(clock.now()), created_by: authorOf(caller) ?? null, used_at: null },
      };
      const listing = { list: linksOf(run_id), marks: [markOf(step_key)] };
      const { id, token, expires_at, change } = links.issue(content, expires_in, listing);
      const link: InputLink = { id, url: `${baseUrl}/public/apps/inputs/${token}`, expires_at };
      await store.commit([change, ...receipt(link)]);
      return link;
    },

    async list(step, query) {
      const stateOf = await statesOf(step);
      const now = clock.now();
      const view = (link: InputLinkDocument): ListedInputLink => {
        const { id, title, language, created_by, created_at, link_expires_at: expires_at, used_at } = link;
        const state = Date.parse(expires_at) > now ? stateOf(link) : "expired";
        return { id, title, language, state, created_by, created_at, expires_at, used_at };
      };
      const marks = [[markOf(step.step_key)]];
      return listPage<InputLinkDocument, ListedInputLink>(
        store,
        linksOf(step.run_id),
        { ...query, marks },
        links.keyOf,
        view,
      );
    },

    remove: ({ app_id, run_id, step_key, link_id }) =>
      links.remove(link_id, (link) => link.app_id === app_id && link.run_id === run_id && link.step_key === step_key),

    async markUsed(linkId) {
      const key = links.keyOf(linkId);
      await updateDocument<InputLinkDocument, void>(store, key, (found) => {
        const isNews = found !== null && found.document.used_at === null;
        const used_at = instant(clock.now());
        return {
          changes: isNews ? [{ key, document: { ...found.document, used_at }, expected: found.version }] : [],
          result: undefined,
        };
      });
    },

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
