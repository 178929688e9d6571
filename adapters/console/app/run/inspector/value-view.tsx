/** A value in the shape that fits it: as a tree, JSON, a table, a text, or a file. What people wrote is shown as text only. */
import { useState } from "react";
import type { JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { CopyButton } from "../../elements/controls/copy-button.tsx";
import { JsonView } from "../../elements/values/json-view.tsx";
import { useTexts } from "../../texts/language.ts";
import { FileView } from "./file-view.tsx";
import { LongText } from "./long-text.tsx";
import { download, jsonOf } from "./save-value.ts";
import { ShapeSwitch } from "./shape-switch.tsx";
import { type Shape, shapesOf } from "./shapes.ts";
import { TableView } from "./table-view.tsx";

interface ValueViewProps {
  readonly value: JsonValue;
  /** Expression that leads to the value. */
  readonly path?: string;
  /** Name of the file that is saved, without its ending. */
  readonly name: string;
}

export function ValueView({ value, path, name }: ValueViewProps) {
  const { run: texts, general } = useTexts();
  const shapes = shapesOf(value);
  const [chosen, setShape] = useState<Shape | null>(null);
  const shape = chosen !== null && shapes.includes(chosen) ? chosen : shapes[0];
  return (
    <div className="value-view">
      <div className="value-tools">
        {shapes.length > 1 ? <ShapeSwitch shapes={shapes} shape={shape} onChange={setShape} /> : null}
        <span className="value-actions">
          {path === undefined ? null : (
            <span className="value-path">
              <code>{path}</code>
              <CopyButton text={path} label={texts.copyPath} icon="code" />
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
      return <LongText value={value} as="text" />;
    case "json":
      return <LongText value={value} as="json" />;
  }
}
