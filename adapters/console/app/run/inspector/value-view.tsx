/** A value in the shape that fits it: as a tree, JSON, a table, a text, or a file. What people wrote is shown as text only. */
import { useMemo, useState } from "react";
import type { JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { CopyButton } from "../../elements/controls/copy-button.tsx";
import { JsonView } from "../../elements/values/json-view.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { FileView } from "./file-view.tsx";
import { download, jsonOf } from "./save-value.ts";
import { type Shape, shapesOf } from "./shapes.ts";
import { TableView } from "./table-view.tsx";
import { chunksOf } from "./text-chunks.ts";

interface ValueViewProps {
  readonly value: JsonValue;
  /** Expression that leads to the value. */
  readonly path?: string;
  /** Name of the file that is saved, without its ending. */
  readonly name: string;
}

/** Characters that are shown of a text. */
const MAX_CHARS = 262_144;

export function ValueView({ value, path, name }: ValueViewProps) {
  const { run: texts, general } = useTexts();
  const shapes = shapesOf(value);
  const [chosen, setShape] = useState<Shape | null>(null);
  const shape = chosen !== null && shapes.includes(chosen) ? chosen : shapes[0];
  return (
    <div className="value-view">
      <div className="value-tools">
        {shapes.length > 1 ? (
          <div role="group" aria-label={texts.showAs} className="run-switch small">
            {shapes.map((one) => (
              <button key={one} type="button" aria-pressed={one === shape} onClick={() => setShape(one)}>
                {texts.shapes[one]}
              </button>
            ))}
          </div>
        ) : null}
        <span className="value-actions">
          {path === undefined ? null : (
            <span className="value-path">
              <code>{path}</code>
              <CopyButton text={path} label={texts.copyPath} />
            </span>
          )}
          <CopyButton text={() => (typeof value === "string" ? value : jsonOf(value))} label={texts.copyValue} />
          <Button
            kind="quiet"
            className="icon-button"
            icon="download"
            aria-label={general.download}
            title={general.download}
            onClick={() => download(value, name)}
          />
        </span>
      </div>
      <Shown shape={shape ?? "json"} value={value} path={path} />
    </div>
  );
}

function Shown({ shape, value, path }: { shape: Shape; value: JsonValue; path: string | undefined }) {
  switch (shape) {
    case "tree":
      return path === undefined ? <JsonView value={value} /> : <JsonView value={value} path={path} />;
    case "table":
      return <TableView value={value} />;
    case "file":
      return <FileView value={value} />;
    case "text":
      return <LongText text={typeof value === "string" ? value : ""} />;
    case "json":
      return <LongText text={jsonOf(value)} />;
  }
}

export function LongText({ text }: { readonly text: string }) {
  const { general } = useTexts();
  const format = useFormat();
  const [count, setCount] = useState(MAX_CHARS);
  const isCut = text.length > count;
  return (
    <>
      <pre className="long-text" tabIndex={0} dir="auto">
        <Chunks text={isCut ? text.slice(0, count) : text} />
      </pre>
      {isCut ? (
        <p className="cut-note">
          {general.tooLong(format.size(count), format.size(text.length))}{" "}
          <Button kind="quiet" onClick={() => setCount(count + MAX_CHARS)}>
            {general.loadMore}
          </Button>
        </p>
      ) : null}
    </>
  );
}

/** In parts, so that the browser lays out only what is on the screen: a quarter of a megabyte in one takes half a second. */
function Chunks({ text }: { readonly text: string }) {
  const chunks = useMemo(() => chunksOf(text), [text]);
  if (chunks.length === 1) return text;
  return chunks.map((chunk, index) => (
    <span key={index} className="chunk">
      {chunk}
    </span>
  ));
}
