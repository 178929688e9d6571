/** Reads the relationships between parts of an Office document. ECMA-376 part 2, clause 6.5. */
import type { Archive } from "./archive.ts";
import type { Extraction } from "./format-types.ts";
import { readXml } from "./xml.ts";

export interface Relation {
  readonly id: string;
  /** Last segment of its type, such as "image". */
  readonly type: string;
  /** Name of a part in the same archive. */
  readonly target: string;
}

/** Returns a part's relationships to other parts of the document, in the order of the file. */
export async function relationsOf(archive: Archive, part: string): Promise<readonly Relation[]> {
  const slash = part.lastIndexOf("/") + 1;
  const place = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
  if (!archive.has(place)) return [];
  const relations: Relation[] = [];
  await readXml(archive, place, {
    open(name, { Id: id = "", Type: type = "", Target: target = "", TargetMode: mode }) {
      if (name !== "Relationship" || mode === "External") return;
      relations.push({ id, type: type.slice(type.lastIndexOf("/") + 1), target: resolveTarget(part, target) });
    },
  });
  return relations;
}

/** Returns the document's main part. @param usual Used if no relationship names one. */
export async function mainPart(archive: Archive, usual: string): Promise<string> {
  const main = (await relationsOf(archive, "")).find(({ type }) => type === "officeDocument");
  return main?.target ?? usual;
}

/** Adds the images that a part refers to. */
export async function addImages(archive: Archive, part: string, { images }: Extraction): Promise<void> {
  for (const { type, target } of await relationsOf(archive, part)) {
    if (type === "image" && archive.has(target)) await images.add(baseName(target), await archive.bytes(target));
  }
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function resolveTarget(part: string, target: string): string {
  const path = target.startsWith("/") ? [] : part.split("/").slice(0, -1);
  for (const step of target.split("/")) {
    if (step === "..") path.pop();
    else if (step !== "." && step !== "") path.push(step);
  }
  return path.join("/");
}
