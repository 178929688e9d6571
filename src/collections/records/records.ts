/** Records: created, read, changed, removed, listed and evaluated. What their rules do is in run-rules.ts. */

import { listPage, updateDocument } from "../../documents/documents.ts";
import type { Page } from "../../documents/pagination.ts";
import { noReceipt, type Receipt } from "../../documents/receipt.ts";
import { isStepwellError, notFound, StepwellError } from "../../errors.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Store, Stored } from "../../ports/store.ts";
import { instant } from "../../time/iso.ts";
import type { Collections } from "../collections.ts";
import type { Tags } from "../tags.ts";
import { findByValue } from "./find-by-value.ts";
import type {
  CollectionRecord,
  RecordCreate,
  RecordDocument,
  RecordQuery,
  RecordUpdate,
  RecordUpsert,
} from "./record.ts";
import {
  applyChange,
  checkFindable,
  createRecord,
  type RecordChange,
  reevaluate,
  upsertChange,
  type WriteContext,
} from "./record-changes.ts";
import { valueAt } from "./record-data.ts";
import { deleteRecord, recordKey, recordsOf, rowsOf } from "./record-rows.ts";
import type { RecordViews } from "./record-view.ts";
import type { RuleRunner } from "./run-rules.ts";
import type { Claims, FoundClaim } from "./unique-keys.ts";
import { createWaitForRules } from "./wait-for-rules.ts";

/** Who writes. */
export interface Writer {
  /** Runs within runs that lead to this write; 0 where it comes from no run. */
  readonly depth: number;
  /** Ends the waiting for the rules. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whatever writes runs the rules of the collection, and its answer waits for them for 10 seconds. What belongs to another
 * app is `not_found`, and so is writing to a collection that was deleted.
 */
export interface Records {
  /** @throws StepwellError `invalid` for tags that the app does not have, `too_large` */
  create(at: CollectionPlace, input: RecordCreate, receipt: Receipt, writer: Writer): Promise<CollectionRecord>;
  get(at: RecordPlace): Promise<CollectionRecord>;
  /** Newest first. */
  list(at: CollectionPlace, query: RecordQuery): Promise<Page<CollectionRecord>>;
  /** @throws StepwellError as `create`, and `precondition_failed` where it is not the version that was expected. */
  update(at: RecordPlace, input: RecordUpdate, writer: Writer): Promise<CollectionRecord>;
  /** Changes the record that has a value in a field, or creates it: just one, however many do so at once. */
  upsert(at: CollectionPlace, input: RecordUpsert, writer: Writer): Promise<CollectionRecord>;
  /** Runs the rules again, on the record as it is. */
  evaluate(at: RecordPlace, writer: Writer): Promise<CollectionRecord>;
  remove(at: RecordPlace): Promise<void>;
}

export interface CollectionPlace {
  readonly app_id: string;
  readonly collection_id: string;
}

export interface RecordPlace extends CollectionPlace {
  readonly record_id: string;
}

export function createRecords(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  hash: Hash;
  collections: Pick<Collections, "get" | "forWriting">;
  tags: Pick<Tags, "find" | "check">;
  claims: Claims;
  views: RecordViews;
  rules: RuleRunner;
}): Records {
  const { store, clock, ids, hash, collections, tags, claims, views, rules } = parts;
  const waitForRules = createWaitForRules({ store, clock, rules, views });

  function requireRecord(found: Stored<RecordDocument> | null, at: RecordPlace): Stored<RecordDocument> {
    const isOwn = found?.document.app_id === at.app_id && found.document.collection_id === at.collection_id;
    if (!isOwn) throw notFound("record", at.record_id);
    return found;
  }

  async function contextOf(at: CollectionPlace, { depth }: Writer): Promise<WriteContext> {
    const collection = await collections.forWriting(at.app_id, at.collection_id);
    return { collection, depth, now: instant(clock.now()) };
  }

  async function checkTags(appId: string, tagIds: readonly string[] = []): Promise<void> {
    const errors = await tags.check(appId, tagIds);
    if (errors.length > 0) throw invalid(errors);
  }

  /** A new record, under a claim perhaps. @throws StepwellError `conflict` over the claim when another took it */
  async function insertRecord(
    change: RecordChange,
    context: WriteContext,
    claim: FoundClaim | null,
    receipt: Receipt,
    allow: (document: RecordDocument) => void = () => {},
  ): Promise<RecordDocument> {
    const id = ids.next("rec");
    const document = createRecord({ id, claims: claim === null ? [] : [claim.key] }, change, context);
    allow(document);
    const taken = claim === null ? [] : [claim.claimFor(id)];
    const shown = await views.one(document);
    const rows = rowsOf(document, null, hash);
    await store.commit([{ key: recordKey(id), document, rows }, ...taken, ...receipt(shown)]);
    return document;
  }

  /**
   * What changes nothing sets nothing off. It waits for the rules that are pending all the same, for it may be a step that
   * writes again after a crash; but not where it comes from within rules: theirs may write what is there already.
   */
  async function changeRecord(
    at: RecordPlace,
    decide: (before: RecordDocument) => RecordDocument,
    { depth, signal }: Writer,
  ): Promise<CollectionRecord> {
    const key = recordKey(at.record_id);
    const { document, isChanged } = await updateDocument(store, key, (found: Stored<RecordDocument> | null) => {
      const { document: before, version } = requireRecord(found, at);
      const document = decide(before);
      if (document === before) return { changes: [], result: { document, isChanged: false } };
      const rows = rowsOf(document, before, hash);
      return { changes: [{ key, document, expected: version, rows }], result: { document, isChanged: true } };
    });
    return isChanged || depth <= document.depth ? waitForRules(document, signal) : views.one(document);
  }

  return {
    async create(at, { key, ...input }, receipt, writer) {
      const context = await contextOf(at, writer);
      await checkTags(at.app_id, input.tags);
      if (key === undefined) return waitForRules(await insertRecord(input, context, null, receipt), writer.signal);
      return retryOnConflict(async () => {
        const claim = await claims.find(at.collection_id, { key });
        const document = claim.document ?? (await insertRecord(input, context, claim, receipt));
        return waitForRules(document, writer.signal);
      });
    },

    async get(at) {
      const { document } = requireRecord(await store.get<RecordDocument>(recordKey(at.record_id)), at);
      // Stored by a storage that could not say so any more, perhaps: nobody carries out its rules yet.
      void rules.evaluate(document);
      return views.one(document);
    },

    async list({ app_id, collection_id }, { tags: wanted, ...query }) {
      await collections.get(app_id, collection_id, false);
      const known = await tags.find(app_id, wanted);
      const marks = wanted.length === 0 ? [] : [[...known.keys()].map((tag) => `tag:${tag}`)];
      const page = await listPage<RecordDocument, RecordDocument>(
        store,
        recordsOf(collection_id),
        { ...query, marks },
        recordKey,
        (document) => document,
      );
      return { ...page, items: await views.all(app_id, page.items) };
    },

    async update(at, { expected_version, ...input }, writer) {
      const context = await contextOf(at, writer);
      await checkTags(at.app_id, input.tags);
      const decide = (before: RecordDocument) => {
        if (expected_version !== undefined && before.version !== expected_version) {
          const message = `The record has version ${before.version}, not ${expected_version}. Read it again and repeat the change.`;
          throw new StepwellError("precondition_failed", message);
        }
        return applyChange(before, input, context);
      };
      return changeRecord(at, decide, writer);
    },

    async upsert(at, input, writer) {
      const { path, value } = input;
      const wanted = upsertChange(input);
      const context = await contextOf(at, writer);
      await checkTags(at.app_id, input.tags);
      const checked = (document: RecordDocument) => checkFindable(document, input);

      return retryOnConflict(async () => {
        const claim = await claims.find(at.collection_id, { path, value });
        const found = await findByValue({ store, hash }, at.collection_id, { path, value }, claim.document);
        if (found === null) {
          return waitForRules(await insertRecord(wanted, context, claim, noReceipt, checked), writer.signal);
        }
        const decide = (before: RecordDocument) => {
          if (valueAt(before.data, path) !== value) throw changedMeanwhile(before.id);
          const after = applyChange(before, wanted, context);
          checked(after);
          return after;
        };
        try {
          return await changeRecord({ ...at, record_id: found.id }, decide, writer);
        } catch (error) {
          throw isStepwellError(error, "not_found") ? changedMeanwhile(found.id) : error;
        }
      });
    },

    async evaluate(at, writer) {
      const context = await contextOf(at, writer);
      return changeRecord(at, (before) => reevaluate(before, context), writer);
    },

    async remove(at) {
      await contextOf(at, { depth: 0 });
      await retryOnConflict(() =>
        updateDocument<RecordDocument, void>(store, recordKey(at.record_id), async (found) => {
          const { document, version } = requireRecord(found, at);
          return {
            changes: [deleteRecord(document, version), ...(await claims.releaseClaims(document))],
            result: undefined,
          };
        }),
      );
    },
  };
}

/** Another has changed or removed it just now: it is to be looked for again. */
const changedMeanwhile = (recordId: string) =>
  new StepwellError("conflict", "The record was changed in the meantime. Read it again and repeat the change.", {
    key: recordKey(recordId),
  });

/** Acts, and again where another got ahead with one of the documents that records are made of. */
async function retryOnConflict<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isStepwellError(error, "conflict") || error.key?.startsWith("record") !== true) throw error;
    }
  }
}
