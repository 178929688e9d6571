/** Creates, reads, updates, deletes, lists and evaluates records. run-rules.ts executes their rules. */

import { updateDocument } from "../../documents/documents.ts";
import { bothOf, checkVersion } from "../../documents/expected-version.ts";
import type { Guards } from "../../documents/guards.ts";
import { noReceipt } from "../../documents/receipt.ts";
import { retryOnConflict } from "../../documents/retry-on-conflict.ts";
import { isStepwellError, notFound, StepwellError } from "../../errors.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Change, DerivedChange, Store, Stored } from "../../ports/store.ts";
import type { Nesting } from "../../runs/run-executor.ts";
import { instant } from "../../time/iso.ts";
import { collectionKey } from "../collection-rows.ts";
import type { Collections } from "../collections.ts";
import type { OnIndexIncomplete } from "../indexes/usable-indexes.ts";
import type { Tags } from "../tags.ts";
import type { CheckFiles } from "./files/check-files.ts";
import { createListRecords, type ListRecords } from "./find/list-records.ts";
import { findByValue } from "./find-by-value.ts";
import type { CollectionRecord, RecordCreate, RecordDocument, RecordUpdate, RecordUpsert } from "./record.ts";
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
import { recordKey } from "./record-rows.ts";
import type { RecordViews } from "./record-view.ts";
import type { RecordWrites } from "./record-writes.ts";
import { isWithin } from "./rules/rule-result.ts";
import type { RuleRunner } from "./rules/run-rules.ts";
import { createWaitForRules } from "./rules/wait-for-rules.ts";
import type { FoundUniqueKey, UniqueKeys } from "./unique-keys.ts";
import type { Writer } from "./writer.ts";

/**
 * Every write starts the rules of the collection, and `settle` waits for them. Resources of another app are
 * `not_found`, and so is a deleted collection for writes. `depth` is the number of levels of child runs around the
 * caller; 0 outside a run.
 */
export interface Records {
  /** @throws StepwellError `invalid` for unknown tags and files; `too_large` */
  create(at: CollectionRef, input: RecordCreate, receipt: WriteReceipt, writer: Writer): Promise<CollectionRecord>;
  get(at: RecordRef): Promise<CollectionRecord>;
  list: ListRecords;
  /**
   * @param versions Versions of which the record must have one; undefined for any.
   * @throws StepwellError as `create`; `precondition_failed` if the record has another version
   */
  update(
    at: RecordRef,
    input: RecordUpdate,
    writer: Writer,
    versions?: readonly number[],
    receipt?: WriteReceipt,
  ): Promise<CollectionRecord>;
  /** Changes the record with a value in a field, or creates it. Concurrent calls create only one. */
  upsert(at: CollectionRef, input: RecordUpsert, receipt: WriteReceipt, writer: Writer): Promise<CollectionRecord>;
  /** Runs the rules on a record again, without changing it. */
  evaluate(at: RecordRef, writer: Writer, versions?: readonly number[]): Promise<CollectionRecord>;
  /**
   * Waits up to 10 seconds for the rules of a record that was written. Returns it as written if it was deleted
   * meanwhile. Does not wait within a run of a rule of the record, which would wait for itself.
   * @param caller Where the call is nested.
   * @param signal Ends the wait.
   */
  settle(record: CollectionRecord, caller: Nesting, signal: AbortSignal | undefined): Promise<CollectionRecord>;
  /** @param versions As for `update`. */
  remove(at: RecordRef, writer: Writer, versions?: readonly number[]): Promise<void>;
}

/** The effect of a write on its record. */
export type RecordWriteOutcome = "created" | "updated" | "unchanged";

/** The changes to commit with a write, such as the receipt of its request. */
export type WriteReceipt = (
  record: CollectionRecord,
  outcome: RecordWriteOutcome,
) => readonly (Change | DerivedChange)[];

export interface CollectionRef {
  readonly app_id: string;
  readonly collection_id: string;
}

export interface RecordRef extends CollectionRef {
  readonly record_id: string;
}

export function createRecords(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  hash: Hash;
  collections: Pick<Collections, "get" | "forWriting">;
  tags: Pick<Tags, "find" | "check">;
  uniqueKeys: Pick<UniqueKeys, "find">;
  writes: RecordWrites;
  views: RecordViews;
  rules: RuleRunner;
  checkFiles: CheckFiles;
  onIndexIncomplete: OnIndexIncomplete;
  guards: Guards;
}): Records {
  const { store, clock, ids, hash, collections, tags, uniqueKeys, writes, views, rules, checkFiles, guards } = parts;
  const waitForRules = createWaitForRules({ store, clock, rules, views });

  function requireRecord(found: Stored<RecordDocument> | null, at: RecordRef): Stored<RecordDocument> {
    const isOwn = found?.document.app_id === at.app_id && found.document.collection_id === at.collection_id;
    if (!isOwn) throw notFound("record", at.record_id);
    return found;
  }

  /** Calls `write` again if the collection is changed before the record is committed. */
  function writing<T>(at: CollectionRef, writer: Writer, write: (context: WriteContext) => Promise<T>): Promise<T> {
    return guards.run([collectionKey(at.collection_id)], async (found) => {
      const collection = await collections.forWriting(at.app_id, at.collection_id);
      return write({ collection, ...writer, guards: found, now: instant(clock.now()), sha256: hash.sha256 });
    });
  }

  async function checkTags(appId: string, tagIds: readonly string[] = []): Promise<void> {
    const errors = await tags.check(appId, tagIds);
    if (errors.length > 0) throw invalid(errors);
  }

  /** Inserts a record, optionally with a unique key. @throws StepwellError `conflict` if another record has the key */
  async function insertRecord(
    change: RecordChange,
    context: WriteContext,
    uniqueKey: FoundUniqueKey | null,
    receipt: WriteReceipt,
    allow: (document: RecordDocument) => void = () => {},
  ): Promise<CollectionRecord> {
    await checkFiles(context.collection.app_id, change.data ?? {}, {});
    const id = ids.next("rec");
    const document = createRecord({ id, unique_keys: uniqueKey === null ? [] : [uniqueKey.key] }, change, context);
    allow(document);
    const taken = uniqueKey === null ? [] : [uniqueKey.putFor(id)];
    const shown = await views.one(document);
    await store.commit([...writes.insertion(document, context), ...taken, ...receipt(shown, "created")]);
    void rules.evaluate(document);
    return shown;
  }

  /**
   * Changes a record. A write without changes starts no rules, but its caller waits for pending ones, because a step
   * may repeat it after a crash.
   */
  async function changeRecord(
    at: RecordRef,
    context: WriteContext,
    decide: (before: RecordDocument) => RecordDocument | Promise<RecordDocument>,
    receipt: WriteReceipt = noReceipt,
  ): Promise<CollectionRecord> {
    const key = recordKey(at.record_id);
    const { changed, shown } = await updateDocument(store, key, async (found: Stored<RecordDocument> | null) => {
      const before = requireRecord(found, at);
      const after = await decide(before.document);
      const shown = await views.one(after);
      const changed = after === before.document ? null : after;
      const outcome = changed === null ? "unchanged" : "updated";
      const changes = [...(await writes.update(before, after, context)), ...receipt(shown, outcome)];
      return { changes, result: { changed, shown } };
    });
    if (changed !== null) void rules.evaluate(changed);
    return shown;
  }

  return {
    create(at, { key, ...input }, receipt, writer) {
      return writing(at, writer, async (context) => {
        await checkTags(at.app_id, input.tags);
        if (key === undefined) return insertRecord(input, context, null, receipt);
        return retryOnConflict(isOfRecord, async () => {
          const uniqueKey = await uniqueKeys.find(at.collection_id, { key });
          if (uniqueKey.document === null) return insertRecord(input, context, uniqueKey, receipt);
          const shown = await views.one(uniqueKey.document);
          const changes = receipt(shown, "unchanged");
          if (changes.length > 0) await store.commit(changes);
          return shown;
        });
      });
    },

    async get(at) {
      const { document } = requireRecord(await store.get<RecordDocument>(recordKey(at.record_id)), at);
      // If the commit that stored it got no response, nothing executes its rules yet.
      void rules.evaluate(document);
      return views.one(document);
    },

    list: createListRecords(parts),

    update(at, { expected_version, ...input }, writer, versions, receipt) {
      return writing(at, writer, async (context) => {
        await checkTags(at.app_id, input.tags);
        const expected = bothOf(expected_version, versions);
        const decide = async (before: RecordDocument) => {
          // A step that is repeated after a crash finds the version that it has written itself.
          if (writer.author.type !== "step") checkVersion("record", before, expected);
          await checkFiles(at.app_id, input.data ?? {}, before.data);
          const after = applyChange(before, input, context);
          if (after !== before) checkVersion("record", before, expected);
          return after;
        };
        return changeRecord(at, context, decide, receipt);
      });
    },

    async upsert(at, input, receipt, writer) {
      const { path, value } = input;
      const wanted = upsertChange(input);
      return writing(at, writer, async (context) => {
        await checkTags(at.app_id, input.tags);
        const checked = (document: RecordDocument) => checkFindable(document, input);

        return retryOnConflict(isOfRecord, async () => {
          const uniqueKey = await uniqueKeys.find(at.collection_id, { path, value });
          const found = await findByValue({ store, hash }, at.collection_id, { path, value }, uniqueKey.document);
          if (found === null) return insertRecord(wanted, context, uniqueKey, receipt, checked);
          const decide = async (before: RecordDocument) => {
            if (valueAt(before.data, path) !== value) throw changedMeanwhile(before.id);
            await checkFiles(at.app_id, wanted.data ?? {}, before.data);
            const after = applyChange(before, wanted, context);
            checked(after);
            return after;
          };
          try {
            return await changeRecord({ ...at, record_id: found.id }, context, decide, receipt);
          } catch (error) {
            throw isStepwellError(error, "not_found") ? changedMeanwhile(found.id) : error;
          }
        });
      });
    },

    evaluate(at, writer, versions) {
      return writing(at, writer, (context) =>
        changeRecord(at, context, (before) => {
          checkVersion("record", before, versions);
          return reevaluate(before, context);
        }),
      );
    },

    async settle(record, caller, signal) {
      const found = await store.get<RecordDocument>(recordKey(record.id));
      if (found === null || caller.depth > found.document.nesting.depth) return record;
      const { rule_results } = found.document;
      const isOwn = rule_results.some((one) => one.result === "PENDING" && isWithin(caller, one));
      return isOwn ? record : waitForRules(found.document, signal);
    },

    remove(at, writer, versions) {
      return writing(at, writer, (context) =>
        retryOnConflict(isOfRecord, () =>
          updateDocument<RecordDocument, void>(store, recordKey(at.record_id), async (found) => {
            const before = requireRecord(found, at);
            checkVersion("record", before.document, versions);
            return { changes: await writes.deletion(before, context), result: undefined };
          }),
        ),
      );
    },
  };
}

/** Another call changed or deleted the record concurrently, so it must be looked up again. */
const changedMeanwhile = (recordId: string) =>
  new StepwellError("conflict", "Another request changed the record. Read it again and repeat the change.", {
    key: recordKey(recordId),
  });

/** Whether the document is one of a record's. */
const isOfRecord = (key: string) => key.startsWith("record");
