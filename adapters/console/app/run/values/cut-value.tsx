/** The start of a long input or output: as a tree that says where it is cut, or as it is written. */
import { type MouseEvent, useMemo, useState } from "react";
import { Button } from "../../elements/controls/button.tsx";
import { parseCutJson } from "../../elements/values/cut-json.ts";
import { JsonView } from "../../elements/values/json-view.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { LongText } from "./long-text.tsx";
import type { Shape } from "./shapes.ts";
import { ValueTools } from "./value-tools.tsx";

interface CutValueProps {
  /** The start of the value, as JSON. */
  readonly preview: string;
  /** Its length in bytes. */
  readonly length: number;
  /** About how long all of it is. */
  readonly bytes: number;
  /** Expression that leads to the value. */
  readonly path: string | undefined;
  readonly isBusy: boolean;
  /** Reads a longer start. Null if there is none. */
  readonly onMore: (() => void) | null;
  /** Saves all of it. */
  readonly onDownload: () => void;
}

const SHAPES: readonly Shape[] = ["tree", "json"];

export function CutValue({ preview, length, bytes, path, isBusy, onMore, onDownload }: CutValueProps) {
  const { run: texts, general } = useTexts();
  const format = useFormat();
  const cut = useMemo(() => parseCutJson(preview), [preview]);
  const [chosen, setShape] = useState<Shape>("tree");
  const shape = cut === null ? "json" : chosen;

  /** The button moves on with the cut. What it is in stays. */
  function loadMore({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    currentTarget.closest("details")?.querySelector("summary")?.focus({ preventScroll: true });
    onMore?.();
  }

  const mark = (shown: number, of: "entries" | "characters") => (
    <p className="cut-note" dir="auto">
      {texts.cutHere(
        of === "entries" ? general.items(shown) : texts.characters(shown),
        format.size(length),
        format.size(bytes),
      )}{" "}
      {onMore === null ? null : (
        <Button kind="quiet" isBusy={isBusy} onClick={loadMore}>
          {general.loadMore}
        </Button>
      )}
    </p>
  );
  return (
    <div className="value-view">
      <ValueTools
        shapes={cut === null ? [] : SHAPES}
        shape={shape}
        onShape={setShape}
        path={path}
        isBusy={isBusy}
        onDownload={onDownload}
      />
      {cut === null || shape === "json" ? (
        <LongText value={preview} as="written" />
      ) : (
        <JsonView value={cut.value} path={path} cut={{ path: cut.path, mark }} />
      )}
    </div>
  );
}
