/** Computes the differences of two versions of a record, within limits, and a version from differences. Pure. */
import type { JsonValue } from "../../json.ts";
import type { RecordData, RecordPatch } from "../records/record.ts";
import { applyPatch, parsePath } from "../records/record-data.ts";
import type { FieldChange, HistoryDocument, HistoryEntry, VersionContent } from "./record-history.ts";

/** Characters of a value as JSON that an entry stores. */
const MAX_VALUE_CHARS = 4_096;
/** Characters of all paths and values of an entry. */
const MAX_ENTRY_CHARS = 64 * 1_024;

export const NOTHING: VersionContent = { data: {}, tags: [] };

export interface Difference extends Pick<HistoryEntry, "changes" | "changes_truncated" | "tags"> {
  /** Whether the changes are complete, so that the new content can be computed from the old one. */
  readonly isComplete: boolean;
}

export function differenceOf(before: VersionContent, after: VersionContent): Difference {
  const changes: FieldChange[] = [];
  let chars = 0;
  let isComplete = true;
  for (const [path, values] of changedFields(before.data, after.data)) {
    const { change, length } = boundChange(path, values);
    chars += length;
    if (chars > MAX_ENTRY_CHARS)
      return { changes, changes_truncated: true, tags: tagsOf(before, after), isComplete: false };
    if (change.after === undefined) isComplete = false;
    changes.push(change);
  }
  return { changes, changes_truncated: false, tags: tagsOf(before, after), isComplete };
}

interface Values {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

function* changedFields(before: RecordData, after: RecordData): Generator<readonly [path: string, values: Values]> {
  for (const [entity, fields] of Object.entries(after)) {
    const old = ownOf(before, entity) ?? {};
    for (const [field, value] of Object.entries(fields)) {
      const was = ownOf(old, field);
      if (!isSame(was, value)) yield [`${entity}:${field}`, { before: was, after: value }];
    }
  }
  for (const [entity, fields] of Object.entries(before)) {
    const now = ownOf(after, entity) ?? {};
    for (const [field, value] of Object.entries(fields)) {
      if (!Object.hasOwn(now, field)) yield [`${entity}:${field}`, { before: value, after: undefined }];
    }
  }
}

function ownOf<Value>(of: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

/** Fields that a write does not touch keep their values, so most are the same object. */
const isSame = (one: JsonValue | undefined, other: JsonValue) =>
  one === other || (one !== undefined && JSON.stringify(one) === JSON.stringify(other));

function boundChange(path: string, values: Values): { readonly change: FieldChange; readonly length: number } {
  const before = JSON.stringify(values.before ?? null);
  const after = JSON.stringify(values.after ?? null);
  const keepsBefore = before.length <= MAX_VALUE_CHARS;
  const keepsAfter = after.length <= MAX_VALUE_CHARS;
  const length = path.length + (keepsBefore ? before.length : 0) + (keepsAfter ? after.length : 0);
  return {
    change: {
      path,
      ...(keepsBefore && { before: values.before ?? null }),
      ...(keepsAfter && { after: values.after ?? null }),
    },
    length,
  };
}

function tagsOf(before: VersionContent, after: VersionContent): HistoryEntry["tags"] {
  const isEqual = JSON.stringify(before.tags) === JSON.stringify(after.tags);
  return isEqual ? null : { before: [...before.tags], after: [...after.tags] };
}

/** The content after an entry whose changes are complete. */
export function applyEntry(
  before: VersionContent,
  { changes, tags }: Pick<HistoryDocument, "changes" | "tags">,
): VersionContent {
  const patch = new Map<string, Map<string, JsonValue>>();
  for (const { path, after = null } of changes) {
    const [entity, field] = parsePath(path);
    const fields = patch.get(entity) ?? new Map<string, JsonValue>();
    fields.set(field, after);
    patch.set(entity, fields);
  }
  const given: RecordPatch = Object.fromEntries(
    [...patch].map(([entity, fields]) => [entity, Object.fromEntries(fields)]),
  );
  return { data: applyPatch(before.data, given), tags: tags === null ? before.tags : tags.after };
}
