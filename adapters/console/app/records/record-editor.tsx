/** Edits the data and tags of a record. A change by somebody else is shown before anything is replaced. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { CollectionRecord, RecordData } from "../../../../src/collections/records/record.ts";
import type { FormValues } from "../../../../src/forms/model/entry.ts";
import type { JsonValue } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { isShownAtFields, useAction } from "../elements/dialogs/use-action.ts";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { JsonView } from "../elements/values/json-view.tsx";
import { useFormPart } from "../forms/parts/use-form-part.ts";
import { setOf, type TextSet } from "../merging/three-way.ts";
import { useMergedSave } from "../merging/use-merged-save.tsx";
import { useLeaveGuard } from "../routing/use-leave-guard.ts";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { TagPicker } from "../tags/tag-picker.tsx";
import { useTexts } from "../texts/language.ts";
import { RecordPart } from "./record-part.tsx";
import { dataOf, patchOf, readRecordData } from "./record-patch.ts";

interface RecordEditorProps {
  readonly appId: string;
  readonly record: CollectionRecord;
  readonly onSaved: () => void;
}

/** What the form shows of a record. */
interface RecordFields {
  readonly data: RecordData;
  readonly tags: TextSet;
}

/** The form when it was sent. */
interface Sent {
  readonly data: RecordData;
  /** Undefined while its fields are loading. */
  readonly values: FormValues | undefined;
  readonly tags: readonly string[];
}

const tagsOf = (record: CollectionRecord): readonly string[] => record.tags.map(({ id }) => id);

const fieldsOf = (record: CollectionRecord): RecordFields => ({ data: record.data, tags: setOf(tagsOf(record)) });

const areSameTags = (one: readonly string[], other: readonly string[]) =>
  [...one].sort().join() === [...other].sort().join();

export function RecordEditor({ appId, record, onSaved }: RecordEditorProps) {
  const { records: texts, general } = useTexts();
  const mayWrite = useMay("collections:write");
  const { collection_id: collectionId, id } = record;
  const part = useFormPart(record.data);
  const [tags, setTags] = useState(() => tagsOf(record));
  const shownTags = useRef(tags);
  shownTags.current = tags;
  // Each time, the form is filled again.
  const [loads, setLoads] = useState(0);
  /** What the form says after it was saved. */
  const [said, setSaid] = useState("");
  const { isBusy, error, run } = useAction();
  /** An error that no longer counts. */
  const [settled, setSettled] = useState<unknown>(null);
  const problem = error === settled ? null : error;
  const place = useFocusOnRefusal<HTMLFormElement>(problem);
  /** While it is sent, and while its response is missing. */
  const sent = useRef<Sent | null>(null);
  const isSending = useRef(false);

  const merging = useMergedSave<CollectionRecord, RecordFields>({
    // What was loaded stays the base once something is changed, whatever others store meanwhile.
    first: record,
    fieldsOf,
    revisionOf: ({ version }) => version,
    names: { data: { label: null }, tags: { label: texts.tags, isOne: true } },
    read: () => client.records.get(appId, collectionId, id),
    write: ({ data, tags: chosen }, from) =>
      client.records.update(appId, collectionId, id, {
        data: patchOf(from?.data ?? {}, data),
        tags: Object.keys(chosen),
        ...(from === null ? undefined : { expected_version: from.version }),
      }),
    current: () => ({ data: dataOf(part), tags: setOf(tags) }),
    show(next, before) {
      // While it is sent, what is typed stays.
      const values = isSending.current ? sent.current?.values : undefined;
      if (values === undefined) part.change(before.data, next.data);
      else part.shown.current?.takeOver(values, next.data);
      setTags(Object.keys(next.tags));
    },
  });
  const base = () => merging.base() ?? record;
  const isChanged = () => !areSameTags(tags, tagsOf(base())) || part.differsFrom(base().data);
  useLeaveGuard(isChanged);

  function load(from: CollectionRecord): void {
    merging.rebase(from);
    part.values.current = from.data;
    setTags(tagsOf(from));
    setLoads(loads + 1);
  }

  /**
   * Shows what is stored. What was changed since the form was sent stays, and so does the focus.
   * @returns Whether nothing was changed since.
   */
  function takeOver(saved: CollectionRecord, from: Sent): boolean {
    const form = part.shown.current;
    const areTagsAsSent = areSameTags(shownTags.current, from.tags);
    const isAsSent = form?.values === from.values && areTagsAsSent;
    const isInForm = place.current?.querySelector(".form-part:focus-within") !== null;
    if (form === null || from.values === undefined || (isAsSent && !isInForm)) load(saved);
    else {
      form.takeOver(from.values, saved.data);
      // A change of what was sent, so that it does not remove what the server has added.
      merging.rebase(isAsSent ? saved : { ...saved, data: from.data });
      if (areTagsAsSent) setTags(tagsOf(saved));
    }
    return isAsSent;
  }

  useEffect(() => {
    if (record.version <= base().version || isSending.current) return;
    // The response was lost, but what was sent is stored.
    if (sent.current !== null && merging.isUnanswered(record)) {
      setSaid(takeOver(record, sent.current) ? general.saved : "");
      setSettled(error);
      return;
    }
    // What others have stored is shown while nothing is changed here, such as after going back to what was read earlier.
    if (isChanged()) return;
    takeOver(record, { data: base().data, values: part.shown.current?.values, tags });
    setSaid("");
  });

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const data = readRecordData(part, texts.notData);
    setSaid("");
    if (data === null) return;
    const sending: Sent = { data, values: part.shown.current?.values, tags };
    await run(async () => {
      sent.current = sending;
      isSending.current = true;
      try {
        const saved = await merging.save({ data, tags: setOf(tags) });
        if (saved === null) return;
        const isAll = takeOver(saved.stored, sending);
        setSaid([isAll ? general.saved : "", saved.elsewhere].filter(Boolean).join(" "));
        onSaved();
      } catch (cause) {
        part.refuse(cause, "/data");
        throw cause;
      } finally {
        isSending.current = false;
      }
    });
  }

  if (!mayWrite) return <JsonView value={record.data as JsonValue} />;
  return (
    <form ref={place} noValidate className="entity" onInput={() => setSaid("")} onSubmit={(event) => void save(event)}>
      {problem === null || isShownAtFields(problem, ["/data"]) ? null : <ProblemNote error={problem} />}
      {merging.note}
      <RecordPart key={loads} part={part} appId={appId} collectionId={collectionId} records={[base()]} />
      <TagPicker appId={appId} legend={texts.tags} chosen={tags} onChange={setTags} />
      <p>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {general.save}
        </Button>{" "}
        <span role="status">{said}</span>
      </p>
    </form>
  );
}
