/** Asks the host who sends a request. */
import * as v from "valibot";
import { ActingUser, type ApiKeyScope, SCOPES } from "../calls/caller.ts";
import { StepwellError } from "../errors.ts";
import { isRecord } from "../json.ts";
import { fieldErrors } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import { list, strictObject } from "../schema.ts";
import { MINUTE_MS, SECOND_MS } from "../time/units.ts";
import type { WebConsole } from "./web-console.ts";

const name = v.optional(v.nullable(v.string()), null);

const AppAnswer = strictObject({
  app_id: v.string(),
  admin: v.optional(v.literal(false, "Must be false or omitted with app_id: an admin has no app_id."), false),
  scopes: v.optional(v.nullable(list(v.picklist(SCOPES))), null),
  name,
  user: v.optional(ActingUser),
});
const AdminAnswer = strictObject({ admin: v.literal(true), name });

/** What the host says of a person. */
export type HostAnswer =
  | {
      readonly app_id: string;
      readonly admin: false;
      readonly scopes: readonly ApiKeyScope[] | null;
      readonly name: string | null;
      readonly user?: ActingUser | undefined;
    }
  | { readonly admin: true; readonly name: string | null };

export interface HostSessions {
  /**
   * Returns null for nobody, and if the host has no function.
   * @throws StepwellError `unavailable` if the function of the host fails, takes too long, or returns anything else
   */
  ask(request: Request): Promise<HostAnswer | null>;
  /**
   * Aborts the controller when the host says something else than `answer`, or fails. It is asked once a minute. Stops when
   * the controller is aborted.
   */
  watch(request: Request, answer: HostAnswer, controller: AbortController): void;
}

const PATIENCE_MS = 10 * SECOND_MS;

export function createHostSessions(parts: { session: WebConsole["session"]; clock: Clock }): HostSessions {
  const { session, clock } = parts;

  async function ask({ url, method, headers, signal }: Request): Promise<HostAnswer | null> {
    if (session === undefined) return null;
    // Without the body, which is not for the host.
    const request = new Request(url, { method: method === "HEAD" ? "HEAD" : "GET", headers, signal });
    return checked(await inTime(async () => session(request)));
  }

  function inTime<T>(act: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(PATIENCE_MS, () =>
        reject(sessionFunctionFailed(new Error("It did not respond within 10 s."))),
      );
      act()
        .then(resolve, (cause: unknown) => reject(sessionFunctionFailed(cause)))
        .finally(cancel);
    });
  }

  return {
    ask,
    watch(request, answer, controller) {
      const known = JSON.stringify(answer);
      let cancel = () => {};
      async function look(): Promise<void> {
        const now = await ask(request).catch(() => null);
        if (JSON.stringify(now) !== known) controller.abort();
        else if (!controller.signal.aborted) lookLater();
      }
      function lookLater(): void {
        cancel = clock.after(MINUTE_MS, () => void look());
      }
      if (controller.signal.aborted) return;
      controller.signal.addEventListener("abort", () => cancel(), { once: true });
      lookLater();
    },
  };
}

function checked(given: unknown): HostAnswer | null {
  if (given === null || given === undefined) return null;
  // The union of both would report what is missing of the other form.
  const isOfAdmin = isRecord(given) && "admin" in given && !("app_id" in given);
  const result = v.safeParse(isOfAdmin ? AdminAnswer : AppAnswer, given);
  if (result.success) return result.output;
  const [first] = fieldErrors(result.issues);
  const place = first === undefined || first.pointer === "" ? "" : `${first.pointer}: `;
  const form = "{ app_id, scopes?, name?, user? }, { admin: true, name? } or null";
  throw sessionFunctionFailed(new Error(`It must return ${form}. ${place}${first?.message ?? ""}`));
}

/** The details, which may be secret, go to the log. */
export function sessionFunctionFailed(cause: unknown): StepwellError {
  const message = "The session function of this host has failed. Its log has the details. Retry later.";
  return new StepwellError("unavailable", message, { publicDetail: message, cause });
}
