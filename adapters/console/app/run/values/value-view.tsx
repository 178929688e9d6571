/** A value in the shape that fits it: as a tree, JSON, a table, a text, or a file. What people wrote is shown as text only. */
import { useMemo, useState } from "react";
import type { JsonValue } from "../../../../../src/json.ts";
import { JsonView } from "../../elements/values/json-view.tsx";
import { FileLinks } from "../../files/file-links.tsx";
import { useTexts } from "../../texts/language.ts";
import { fileIdsIn } from "./file-ids.ts";
import { FileView } from "./file-view.tsx";
import { LongText } from "./long-text.tsx";
import { download, jsonOf } from "./save-value.ts";
import { type Shape, shapesOf } from "./shapes.ts";
import { TableView } from "./table-view.tsx";
import { ValueTools } from "./value-tools.tsx";

interface ValueViewProps {
  readonly appId: string;
  readonly value: JsonValue;
  /** Expression that leads to the value. */
  readonly path?: string | undefined;
  /** Name of the file that is saved, without its ending. */
  readonly name: string;
}

export function ValueView({ appId, value, path, name }: ValueViewProps) {
  const { run: texts } = useTexts();
  const shapes = shapesOf(value);
  const files = useMemo(() => fileIdsIn(value), [value]);
  const [chosen, setShape] = useState<Shape | null>(null);
  const shape = chosen !== null && shapes.includes(chosen) ? chosen : shapes[0];
  return (
    <div className="value-view">
      <ValueTools
        shapes={shapes}
        shape={shape}
        onShape={setShape}
        path={path}
        copied={() => (typeof value === "string" ? value : jsonOf(value))}
        onDownload={() => download(value, name)}
      />
      <Shown appId={appId} shape={shape ?? "json"} value={value} path={path} />
      {shape === "file" || files.length === 0 ? null : (
        <FileLinks appId={appId} ids={files} label={texts.filesOfValue} />
      )}
    </div>
  );
}

interface ShownProps {
  readonly appId: string;
  readonly shape: Shape;
  readonly value: JsonValue;
  readonly path: string | undefined;
}

function Shown({ appId, shape, value, path }: ShownProps) {
  switch (shape) {
    case "tree":
      return <JsonView value={value} path={path} />;
    case "table":
      return <TableView value={value} />;
    case "file":
      return <FileView appId={appId} value={value} />;
    case "text":
      return <LongText value={value} as="text" />;
    case "json":
      return <LongText value={value} as="json" />;
  }
}
