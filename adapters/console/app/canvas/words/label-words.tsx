/** The words on an edge or at an open exit: place and name of a condition, and the condition itself. */
import { useTexts } from "../../texts/language.ts";
import type { Messages } from "../../texts/messages.ts";
import type { CanvasEdge } from "../canvas-graph.ts";

type Labelled = Pick<CanvasEdge, "port" | "label">;

interface LabelWordsProps {
  readonly of: Labelled;
  /** Beside the condition, such as the values that it read. */
  readonly detail?: string | undefined;
}

export function LabelWords({ of, detail }: LabelWordsProps) {
  const { canvas } = useTexts();
  const { label } = of;
  if (label === null) return null;
  return (
    <span className="words">
      <span className="name">
        {label.order === null ? null : <span className="order">{label.order}</span>} <bdi>{nameOfPort(canvas, of)}</bdi>
      </span>
      {label.condition === "" ? null : <code>{label.condition}</code>}
      {detail === undefined ? null : <bdi className="detail">{detail}</bdi>}
    </span>
  );
}

/** null for the way that a run always goes. */
export function nameOfPort(texts: Messages["canvas"], { port, label }: Labelled): string | null {
  if (port.kind === "else") return texts.else;
  return port.kind === "error" ? texts.onError : (label?.text ?? null);
}
