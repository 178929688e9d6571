/** Prepares the webhooks of an import. They are off, so that a copy of an app sends nothing by surprise. */
import { type FieldError, isStepwellError, StepwellError } from "../errors.ts";
import { errorsOfEach } from "../messages/field-errors.ts";
import type { Secrets } from "../ports/secrets.ts";
import type { Change, Store } from "../ports/store.ts";
import { filterProblems, type HasScope, type RequireParent, requireReadScopes } from "./event-filter.ts";
import { newWebhook } from "./new-webhook.ts";
import type { WebhookCreate } from "./webhook.ts";
import { requireRoom, type WebhookIndex } from "./webhook-index.ts";
import { putWebhook } from "./webhook-rows.ts";

export interface PreparedWebhooks {
  /** With pointers into the list. */
  readonly errors: readonly FieldError[];
  readonly changes: readonly Change[];
  readonly issued: readonly { readonly id: string; readonly secret: string }[];
  /** Call this when the webhooks are stored. */
  committed(): void;
}

/**
 * @param given With the ids that they get.
 * @param parents Finds the collections and workflows that they name.
 */
export type PrepareWebhooks = (
  appId: string,
  given: readonly (WebhookCreate & { readonly id: string })[],
  parents: RequireParent,
  hasScope: HasScope,
  now: string,
) => Promise<PreparedWebhooks>;

/** @throws StepwellError as {@link Webhooks.create} */
export function createPrepareWebhooks(parts: {
  store: Store;
  secrets: Pick<Secrets, "encrypt">;
  index: WebhookIndex;
}): PrepareWebhooks {
  const { store, secrets, index } = parts;

  return async (appId, given, parents, hasScope, now) => {
    for (const [at, { events }] of given.entries()) {
      try {
        requireReadScopes(events, { events }, hasScope);
      } catch (error) {
        if (!isStepwellError(error, "forbidden")) throw error;
        throw new StepwellError("forbidden", error.message, {
          errors: error.errors.map((one) => ({ ...one, pointer: `/webhooks/${at}${one.pointer}` })),
          headers: error.headers,
        });
      }
    }
    const errors = await errorsOfEach(given, async (one, at) => {
      const { events, collection_id = null, workflow_id = null } = one;
      const found = await filterProblems(appId, { events, collection_id, workflow_id }, parents);
      return found.map((error) => ({ ...error, pointer: `/${at}${error.pointer}` }));
    });
    if (errors.length > 0 || given.length === 0) return { errors, changes: [], issued: [], committed() {} };
    await requireRoom(store, appId, given.length);
    const added = await Promise.all(given.map((one) => newWebhook(secrets, { ...one, app_id: appId }, false, now)));
    return {
      errors,
      changes: added.map(({ document }) => putWebhook(document)),
      issued: added.map(({ document, secret }) => ({ id: document.id, secret })),
      committed() {
        for (const { document } of added) index.put(document, 1);
      },
    };
  };
}
