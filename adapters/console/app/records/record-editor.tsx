/** Edits the data and tags of a record. A change by somebody else is shown before anything is replaced. */
import { type FormEvent, useState } from "react";
import type { CollectionRecord, RecordData } from "../../../../src/collections/records/record.ts";
import type { JsonValue } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { isShownAtFields, useAction } from "../elements/dialogs/use-action.ts";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { JsonView } from "../elements/values/json-view.tsx";
import { useFormPart } from "../forms/parts/use-form-part.ts";
import { isSameJson } from "../merging/same-json.ts";
import { setOf, type TextSet } from "../merging/three-way.ts";
import { useMergedSave } from "../merging/use-merged-save.tsx";
import { useLeaveGuard } from "../routing/use-leave-guard.ts";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { TagPicker } from "../tags/tag-picker.tsx";
import { useTexts } from "../texts/language.ts";
import { RecordPart } from "./record-part.tsx";
import { dataOf, isDataReadable, patchOf, readRecordData } from "./record-patch.ts";

interface RecordEditorProps {
  readonly appId: string;
  readonly record: CollectionRecord;
  /** Why it cannot be saved. */
  readonly refusal: string | undefined;
  readonly onSaved: () => void;
}

/** What the form shows of a record. */
interface RecordFields {
  readonly data: RecordData;
  readonly tags: TextSet;
}

const tagsOf = (record: CollectionRecord): readonly string[] => record.tags.map(({ id }) => id);

const fieldsOf = (record: CollectionRecord): RecordFields => ({ data: record.data, tags: setOf(tagsOf(record)) });

export function RecordEditor({ appId, record, refusal, onSaved }: RecordEditorProps) {
  const { records: texts, general } = useTexts();
  const mayWrite = useMay("collections:write");
  const { collection_id: collectionId, id } = record;
  const part = useFormPart(record.data);
  const [tags, setTags] = useState(() => tagsOf(record));
  // Each time, the form is filled again.
  const [loads, setLoads] = useState(0);
  /** What the form says after it was saved. */
  const [said, setSaid] = useState("");
  const { isBusy, error, run } = useAction();
  /** Whether what was sent last is stored, though its response was lost: its error no longer counts. */
  const [isAnswered, setAnswered] = useState(false);
  const problem = isAnswered ? null : error;
  const place = useFocusOnRefusal<HTMLFormElement>(problem);

  const merging = useMergedSave<CollectionRecord, RecordFields>({
    first: record,
    latest: record,
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
    isReadable: () => isDataReadable(part),
    show(next, before, isStored) {
      const isInForm = place.current?.querySelector(".form-part:focus-within") !== null;
      if (isStored && !isInForm) {
        part.values.current = next.data;
        setLoads((count) => count + 1);
      } else if (!isSameJson(before.data, next.data)) part.change(before.data, next.data);
      setTags(Object.keys(next.tags));
      setSaid("");
    },
    onAnswered(isAll) {
      setSaid(isAll ? general.saved : "");
      setAnswered(true);
    },
  });
  useLeaveGuard(merging.isChanged);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const data = readRecordData(part, texts.notData);
    setSaid("");
    if (data === null) return;
    setAnswered(false);
    await run(async () => {
      try {
        const saved = await merging.save({ data, tags: setOf(tags) });
        if (saved === null) return;
        setSaid([saved.isAll ? general.saved : "", saved.elsewhere].filter(Boolean).join(" "));
        onSaved();
      } catch (cause) {
        part.refuse(cause, "/data");
        throw cause;
      }
    });
  }

  if (!mayWrite) return <JsonView value={record.data as JsonValue} />;
  return (
    <form ref={place} noValidate className="entity" onInput={() => setSaid("")} onSubmit={(event) => void save(event)}>
      {problem === null || isShownAtFields(problem, ["/data"]) ? null : <ProblemNote error={problem} />}
      {merging.note}
      <RecordPart
        key={loads}
        part={part}
        appId={appId}
        collectionId={collectionId}
        records={[merging.base() ?? record]}
      />
      <TagPicker appId={appId} legend={texts.tags} chosen={tags} onChange={setTags} />
      <p>
        <Button type="submit" kind="primary" isBusy={isBusy} refusal={refusal}>
          {general.save}
        </Button>{" "}
        <span role="status">{said}</span>
      </p>
    </form>
  );
}
