/** Headers and footers of DOCX, which mammoth ignores. ECMA-376 part 1, 17.10. */
import type { Archive } from "../archive.ts";
import { relationsOf } from "../office-relationships.ts";
import { readXml } from "../xml.ts";

/** Returns their texts in document order without duplicates: sections and first pages often repeat them. */
export async function marginTexts(archive: Archive, main: string, kind: "header" | "footer"): Promise<Set<string>> {
  const relations = (await relationsOf(archive, main)).filter(
    ({ type, target }) => type === kind && archive.has(target),
  );
  const texts = new Set<string>();
  for (const part of new Set(relations.map(({ target }) => target))) {
    const text = await textOfPart(archive, part);
    if (text !== "") texts.add(text);
  }
  return texts;
}

async function textOfPart(archive: Archive, part: string): Promise<string> {
  let text = "";
  let isText = false;
  /** Depth of fallback elements, which duplicate content for older readers. */
  let fallbacks = 0;
  await readXml(archive, part, {
    open(name) {
      if (name === "Fallback") fallbacks++;
      if (fallbacks > 0) return;
      if (name === "t") isText = true;
      else if (name === "tab") text += "\t";
      else if (name === "br" || name === "cr") text += "\n";
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      if (name === "Fallback") fallbacks--;
      if (name === "t") isText = false;
      else if (name === "p" && fallbacks === 0) text += "\n";
    },
  });
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join("\n");
}
