/** An input or output that may be long: its start at first, more or all of it when asked for. */
import { type ReactNode, useMemo, useState } from "react";
import type { JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../../elements/refusal-focus.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import type { LoadedValue } from "../step-details.ts";
import { CutValue } from "./cut-value.tsx";
import { download } from "./save-value.ts";
import { ValueView } from "./value-view.tsx";
import "./values.css";

interface StepValueProps extends LoadedValue {
  readonly appId: string;
  readonly path?: string | undefined;
  readonly name: string;
  /** Shows the value when all of it is there. @default as a {@link ValueView} */
  readonly show?: ((value: JsonValue) => ReactNode) | undefined;
  /**
   * Reads the value.
   * @param preview Bytes of JSON, at which it is cut. Undefined for all of it.
   */
  readonly onLoad: (preview: number | undefined) => Promise<LoadedValue>;
}

/** How much longer the next start is, and how long the server lets one be. */
const MORE = 4;
const MAX_PREVIEW = 16 * 1024 * 1024;

export function StepValue({ appId, path, name, show, onLoad, ...given }: StepValueProps) {
  const { run: texts, general } = useTexts();
  const format = useFormat();
  const [loaded, setLoaded] = useState<LoadedValue | null>(null);
  const [error, setError] = useState<unknown>(null);
  const note = useFocusOnRefusal<HTMLDivElement>(error);
  const [isBusy, setBusy] = useState(false);
  const { value, preview, bytes } = loaded ?? given;
  const length = useMemo(() => new TextEncoder().encode(preview).length, [preview]);
  if (preview === undefined && bytes === undefined)
    return show?.(value) ?? <ValueView appId={appId} value={value} path={path} name={name} />;
  const size = bytes ?? length;
  const load = async (limit: number | undefined, use: (found: LoadedValue) => void) => {
    setBusy(true);
    setError(null);
    try {
      use(await onLoad(limit));
    } catch (cause) {
      setError(cause);
    }
    setBusy(false);
  };
  const next = length * MORE;
  return (
    <>
      <p className="cut-note">
        {preview === undefined ? null : (
          <span role="status">{general.tooLong(format.size(length), format.size(size))}</span>
        )}{" "}
        <Button isBusy={isBusy} onClick={() => void load(undefined, setLoaded)}>
          {texts.loadWhole(format.size(size))}
        </Button>
      </p>
      {error === null ? null : <ProblemNote ref={note} error={error} />}
      {preview === undefined ? null : (
        <CutValue
          preview={preview}
          length={length}
          bytes={size}
          path={path}
          isBusy={isBusy}
          onMore={next > MAX_PREVIEW ? null : () => void load(next, setLoaded)}
          onDownload={() => void load(undefined, (whole) => download(whole.value, name))}
        />
      )}
    </>
  );
}
