/** The items of a list on the driver: the root and the leaves. */
import { damaged } from "../../errors.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import { createMirroredItem, type MirroredItem } from "../log/mirrored-item.ts";
import type { Columns } from "./trees/columns.ts";
import { parseLeaf } from "./trees/leaf-text.ts";
import { isRoot, type Root } from "./trees/list-root.ts";

export const leafKey = (list: string, leaf: string) => `list:${list}:${leaf}`;

export interface StoredLists {
  rootItemOf(name: string): MirroredItem<Root>;
  /** @throws StepwellError `unavailable` if the leaf is damaged or missing */
  readLeaf(name: string, leaf: string): Promise<Columns>;
}

export function createStoredLists(items: ChecksummedItems): StoredLists {
  return {
    rootItemOf: (name) => createMirroredItem(items, (copy) => leafKey(name, copy), `The list "${name}"`, isRoot),

    async readLeaf(name, leaf) {
      const key = leafKey(name, leaf);
      const found = await items.find(key);
      const content = typeof found === "object" ? parseLeaf(found.value) : null;
      if (typeof found !== "object" || content === null) throw damaged(key, `Part of the list "${name}"`);
      return content;
    },
  };
}
