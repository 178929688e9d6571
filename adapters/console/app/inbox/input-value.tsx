/** A value as the people read it who decide on it. */
import { useState } from "react";
import { isRecord, type JsonValue } from "../../../../src/json.ts";
import { choiceLabel } from "../../../../src/workflows/field-options.ts";
import type { InputField } from "../../../../src/workflows/input/input-field.ts";
import { Button } from "../elements/controls/button.tsx";
import { JsonView } from "../elements/values/json-view.tsx";
import { visibleText } from "../elements/values/visible-text.ts";
import { FileLinks } from "../files/file-links.tsx";
import { useNotation } from "../forms/use-notation.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";

interface InputValueProps {
  readonly appId: string;
  /** Undefined if nothing is known of the value. */
  readonly field: InputField | undefined;
  readonly value: JsonValue;
}

/** Characters of a text that are shown at first. */
const MAX_TEXT = 400;

export function InputValue({ appId, field, value }: InputValueProps) {
  const { general } = useTexts();
  const format = useFormat();
  const notation = useNotation();
  if (field?.type === "file") return <Files appId={appId} value={value} />;
  if (typeof value === "boolean") return value ? general.yes : general.no;
  const labelOf = (one: string | number) => (field === undefined ? undefined : choiceLabel(field, one));
  if (typeof value === "number") return labelOf(value) ?? notation.formatNumber(value);
  if (typeof value === "string") return <Text text={labelOf(value) ?? textOf(field, value, format)} />;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string"))
    return <Text text={value.map((one) => labelOf(one) ?? one).join(", ")} />;
  return <JsonView value={value} />;
}

function Text({ text }: { readonly text: string }) {
  const { general } = useTexts();
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > MAX_TEXT;
  return (
    <>
      <bdi className="input-text">{visibleText(isCut ? `${text.slice(0, MAX_TEXT)}…` : text)}</bdi>
      {isCut ? (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          {general.loadMore}
        </Button>
      ) : null}
    </>
  );
}

/** Ids of files, or files of records, which are given with their `file_id`. */
function Files({ appId, value }: { readonly appId: string; readonly value: JsonValue }) {
  const ids = (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
    const id = isRecord(one) ? one["file_id"] : one;
    return typeof id === "string" ? [id] : [];
  });
  return <FileLinks appId={appId} ids={ids} />;
}

function textOf(field: InputField | undefined, value: string, format: ReturnType<typeof useFormat>): string {
  if (field === undefined || Number.isNaN(Date.parse(value))) return value;
  if (field.type === "datetime") return format.short(value);
  return field.type === "date" ? format.day(value) : value;
}
