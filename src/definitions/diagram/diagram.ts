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

/**
 * Draws each form when it is read: a large diagram takes hundreds of milliseconds, and most callers read one form.
 * @param name Name of the workflow
 */
export function diagramOf(version: Version, name: string): Diagram {
  const outline = outlineOf(version);
  let svg: string | undefined;
  return {
    get mermaid() {
      return diagramMermaid(outline);
    },
    get svg() {
      svg ??= diagramSvg(titleOf(version, name), outline);
      return svg;
    },
  };
}

/** Browsers show it as a tooltip, and screen readers say it. */
const titleOf = ({ version }: Version, name: string) => `${name} (${version === 0 ? "draft" : `version ${version}`})`;
