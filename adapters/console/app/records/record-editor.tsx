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
import { useLeaveGuard } from "../routing/use-leave-guard.ts";
import { client, isServerError } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { TagPicker } from "../tags/tag-picker.tsx";
import { useTexts } from "../texts/language.ts";
import { RecordPart } from "./record-part.tsx";
import { patchOf, readRecordData } from "./record-patch.ts";

interface RecordEditorProps {
  readonly appId: string;
  readonly record: CollectionRecord;
  readonly onSaved: () => void;
}

/** The form when it was sent. */
interface Sent {
  readonly data: RecordData;
  /** Undefined while its fields are loading. */
  readonly values: FormValues | undefined;
  readonly tags: readonly string[];
}

const tagsOf = (record: CollectionRecord): readonly string[] => record.tags.map(({ id }) => id);

const areSameTags = (one: readonly string[], other: readonly string[]) =>
  [...one].sort().join() === [...other].sort().join();

export function RecordEditor({ appId, record, onSaved }: RecordEditorProps) {
  const { records: texts, general } = useTexts();
  const mayWrite = useMay("collections:write");
  // What was loaded stays the base once something is changed, whatever others store meanwhile.
  const [base, setBase] = useState(record);
  const part = useFormPart(record.data);
  const [tags, setTags] = useState(() => tagsOf(record));
  const shownTags = useRef(tags);
  shownTags.current = tags;
  // Each time, the form is filled again.
  const [loads, setLoads] = useState(0);
  const [isSaved, setSaved] = useState(false);
  const [stored, setStored] = useState<CollectionRecord | null>(null);
  const isChanged = () => !areSameTags(tags, tagsOf(base)) || part.differsFrom(base.data);
  useLeaveGuard(isChanged);
  const { isBusy, error, run } = useAction();
  const place = useFocusOnRefusal<HTMLFormElement>(error ?? stored);

  function load(from: CollectionRecord): void {
    setBase(from);
    part.values.current = from.data;
    setTags(tagsOf(from));
    setStored(null);
    setLoads(loads + 1);
  }

  /**
   * Shows what is stored. What was changed since the form was sent stays, and so does the focus.
   * @returns Whether nothing was changed since.
   */
  function takeOver(saved: CollectionRecord, sent: Sent): boolean {
    const form = part.shown.current;
    const areTagsAsSent = areSameTags(shownTags.current, sent.tags);
    const isAsSent = form?.values === sent.values && areTagsAsSent;
    const isInForm = place.current?.querySelector(".form-part:focus-within") !== null;
    if (form === null || sent.values === undefined || (isAsSent && !isInForm)) load(saved);
    else {
      form.takeOver(sent.values, saved.data);
      // A change of what was sent, so that it does not remove what the server has added.
      setBase(isAsSent ? saved : { ...saved, data: sent.data });
      if (areTagsAsSent) setTags(tagsOf(saved));
      setStored(null);
    }
    return isAsSent;
  }

  // What others have stored is shown while nothing is changed here, such as after going back to what was read earlier.
  useEffect(() => {
    if (record.version <= base.version || stored !== null || isChanged()) return;
    takeOver(record, { data: base.data, values: part.shown.current?.values, tags });
    setSaved(false);
  });

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const expected = stored ?? base;
    const data = readRecordData(part, texts.notData);
    setSaved(false);
    if (data === null) return;
    const sent: Sent = { data, values: part.shown.current?.values, tags };
    await run(async () => {
      try {
        const saved = await client.records.update(appId, base.collection_id, base.id, {
          data: patchOf(expected.data, data),
          tags: [...tags],
          expected_version: expected.version,
        });
        setSaved(takeOver(saved, sent));
        onSaved();
      } catch (cause) {
        part.refuse(cause, "/data");
        if (!isServerError(cause) || cause.code !== "precondition_failed") throw cause;
        setStored(await client.records.get(appId, base.collection_id, base.id));
      }
    });
  }

  if (!mayWrite) return <JsonView value={record.data as JsonValue} />;
  return (
    <form
      ref={place}
      noValidate
      className="entity"
      onInput={() => setSaved(false)}
      onSubmit={(event) => void save(event)}
    >
      {error === null || isShownAtFields(error, ["/data"]) ? null : <ProblemNote error={error} />}
      {stored === null ? null : <Clash stored={stored} onTake={() => load(stored)} />}
      <RecordPart key={loads} part={part} appId={appId} collectionId={base.collection_id} records={[base]} />
      <TagPicker appId={appId} legend={texts.tags} chosen={tags} onChange={setTags} />
      <p>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {general.save}
        </Button>{" "}
        <span role="status">{isSaved ? general.saved : ""}</span>
      </p>
    </form>
  );
}

interface ClashProps {
  /** What somebody else has stored. */
  readonly stored: CollectionRecord;
  readonly onTake: () => void;
}

function Clash({ stored, onTake }: ClashProps) {
  const { records: texts } = useTexts();
  return (
    <div role="alert" tabIndex={-1} className="entity">
      <p>
        <strong>{texts.clash}</strong> {texts.clashText}
      </p>
      <JsonView value={stored.data as JsonValue} />
      <p>
        <Button onClick={onTake}>{texts.takeStored}</Button>
      </p>
    </div>
  );
}
