/** An input or output that may be long: its beginning at first, all of it when asked for. */
import { useState } from "react";
import type { JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { LongText } from "./long-text.tsx";
import { ValueView } from "./value-view.tsx";

interface StepValueProps {
  readonly value: JsonValue;
  /** The beginning of a value that was left out, as JSON. A value that was left out has at least its length. */
  readonly preview: string | undefined;
  readonly bytes: number | undefined;
  readonly path?: string;
  readonly name: string;
  /** Reads all of it. */
  readonly onLoad: () => Promise<JsonValue>;
}

export function StepValue({ value, preview, bytes, path, name, onLoad }: StepValueProps) {
  const { run: texts, general } = useTexts();
  const format = useFormat();
  const [whole, setWhole] = useState<{ readonly value: JsonValue } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const view = (shown: JsonValue) =>
    path === undefined ? <ValueView value={shown} name={name} /> : <ValueView value={shown} path={path} name={name} />;
  if (whole !== null) return view(whole.value);
  if (preview === undefined && bytes === undefined) return view(value);
  const size = bytes ?? preview?.length ?? 0;
  const load = async () => {
    setBusy(true);
    setError(null);
    try {
      setWhole({ value: await onLoad() });
    } catch (cause) {
      setError(cause);
    }
    setBusy(false);
  };
  return (
    <>
      <p className="cut-note">
        {preview === undefined ? null : general.tooLong(format.size(preview.length), format.size(size))}{" "}
        <Button isBusy={isBusy} onClick={() => void load()}>
          {texts.loadWhole(format.size(size))}
        </Button>
      </p>
      {error === null ? null : <ProblemNote error={error} />}
      {preview === undefined ? null : <LongText value={preview} as="written" />}
    </>
  );
}
