/** A diagram of a version, as Mermaid and as SVG. */
import * as v from "valibot";
import type { Version } from "../../workflows/version.ts";
import { diagramMermaid } from "./mermaid.ts";
import { outlineOf } from "./outline.ts";
import { diagramSvg } from "./svg.ts";

export const Diagram = v.object({
  /** A Mermaid flowchart (`flowchart TD`). */
  mermaid: v.string(),
  /** An SVG document, with colors for light and dark. */
  svg: v.string(),
});
/** A diagram of a version, as Mermaid and as SVG. It shows at most 4,000 edges. */
export interface Diagram extends Readonly<v.InferOutput<typeof Diagram>> {}

export function diagramOf(version: Version): Diagram {
  const outline = outlineOf(version);
  return { mermaid: diagramMermaid(outline), svg: diagramSvg(version.key, outline) };
}
