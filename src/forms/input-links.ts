/** Links to the forms of waiting input steps. Each is for one wait: it ends when the step gets its input. */
import { updateDocument } from "../documents/documents.ts";
import { expiringRow, notExpiringRow } from "../documents/expiring-documents.ts";
import type { Receipt } from "../documents/receipt.ts";
import { isStepwellError, notFound, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Key, Store } from "../ports/store.ts";
import type { Run } from "../runs/run.ts";
import type { InputWait } from "../runs/run-executor.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS, DAY_SECONDS, SECOND_MS } from "../time/units.ts";
import type { InputLink, InputLinkCreate, InputLinkDocument } from "./waiting-input.ts";
import { type FoundInput, notWaiting, type WaitingInputs } from "./waiting-inputs.ts";

/** What an address leads to. Nothing `waiting` means that the step has got its input, or the run has ended. */
export interface OpenedLink extends FoundInput {
  readonly link: InputLinkDocument;
  /** Whether the run has not come to the step. */
  readonly isAhead: boolean;
}

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
  open(token: string): Promise<OpenedLink>;
}

const SECRET_CHARS = 32;
const TOKEN = /^[0-9a-z]{32}$/;
const LINK_ID = /^link_[0-9a-f]{32}$/;
const DEFAULT_LIFETIME_SECONDS = 7 * DAY_SECONDS;
/** How long an expired link is remembered as such. */
const CLOSED_RETENTION_MS = 30 * DAY_MS;

const linkKey = (linkId: string): Key => `input-link:${linkId}`;

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
  const { store, clock, ids, hash, waitingInputs, getRun, getApp, baseUrl } = parts;
  /** The id is the digest of the secret, which is not stored. */
  const idOf = (token: string) => `link_${hash.sha256(token).slice(0, 32)}`;

  async function find(token: string): Promise<InputLinkDocument> {
    const found = TOKEN.test(token) ? await store.get<InputLinkDocument>(linkKey(idOf(token))) : null;
    if (found === null) throw unknownLink();
    await getApp(found.document.app_id).catch(() => {
      throw unknownLink();
    });
    return found.document;
  }

  /** The wait that a link is for: the current one, or the first if the run has not come to the step. */
  async function waitFor(appId: string, runId: string, stepKey: string): Promise<InputWait> {
    const { waiting, retries } = await waitingInputs.find(appId, runId, stepKey);
    if (waiting !== null) return waiting.wait;
    if (!(await isAhead(appId, runId, stepKey))) throw notWaiting();
    return { iteration: 1, retries };
  }

  /** Whether the run has not come to the step. */
  async function isAhead(appId: string, runId: string, stepKey: string): Promise<boolean> {
    const { steps } = await getRun(appId, runId);
    return steps.some(({ key, status }) => key === stepKey && status === "pending");
  }

  return {
    async create(appId, runId, stepKey, given, receipt) {
      const { expires_in = DEFAULT_LIFETIME_SECONDS, language = null, title = null, text = null } = given;
      const wait = await waitFor(appId, runId, stepKey);
      const token = ids.random(SECRET_CHARS);
      const id = idOf(token);
      const expires = clock.now() + expires_in * SECOND_MS;
      const link: InputLink = { id, url: `${baseUrl}/public/apps/inputs/${token}`, expires_at: instant(expires) };
      const document: InputLinkDocument = {
        ...{ id, app_id: appId, run_id: runId, step_key: stepKey, wait, language, title, text },
        ...{ link_expires_at: link.expires_at, expires_at: instant(expires + CLOSED_RETENTION_MS) },
      };
      const key = linkKey(id);
      await store.commit([{ key, document, rows: [expiringRow(key, document, appId)] }, ...receipt(link)]);
      return link;
    },

    async remove({ app_id, run_id, step_key, link_id: linkId }) {
      if (!LINK_ID.test(linkId)) throw notFound("link", linkId);
      const key = linkKey(linkId);
      await updateDocument<InputLinkDocument, void>(store, key, (found) => {
        const { document = null } = found ?? {};
        const isThere = document?.app_id === app_id && document.run_id === run_id && document.step_key === step_key;
        if (found === null || !isThere) throw notFound("link", linkId);
        const change = { key, document: null, expected: found.version, rows: [notExpiringRow(key)] };
        return { changes: [change], result: undefined };
      });
    },

    async open(token) {
      const link = await find(token);
      if (Date.parse(link.link_expires_at) <= clock.now()) {
        throw new StepwellError("link_expired", "This link has expired. Ask the sender for a new one.");
      }
      try {
        const found = await waitingInputs.find(link.app_id, link.run_id, link.step_key);
        if (isWaitOf(link, found)) return { link, ...found, isAhead: false };
        const isCurrent = found.waiting === null && found.retries === link.wait.retries;
        return {
          ...{ link, ...found, waiting: null },
          isAhead: isCurrent && (await isAhead(link.app_id, link.run_id, link.step_key)),
        };
      } catch (error) {
        if (isStepwellError(error, "not_found")) throw unknownLink(); // the run was deleted
        throw error;
      }
    },
  };
}

/** A loop, or a retry of the run, lets the step wait again; the link does not count for that. */
function isWaitOf({ wait }: InputLinkDocument, { waiting }: FoundInput): boolean {
  return waiting?.wait.iteration === wait.iteration && waiting.wait.retries === wait.retries;
}

const unknownLink = () => new StepwellError("not_found", "This link does not exist. Check that you copied all of it.");
