/** The items of a list on the driver: the root and the leaves. */
import { damaged } from "../../errors.ts";
import { isRecord } from "../../json.ts";
import type { Row } from "../../ports/store.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import { createMirroredItem, type MirroredItem } from "../log/mirrored-item.ts";

/** The stored root of a list. */
export interface Root {
  readonly leaves: readonly string[];
  /** Leaves of earlier roots that a crash may have left behind. */
  readonly obsolete: readonly string[];
  /** Number of rows. */
  readonly size?: number;
}

export const NO_ROOT: Root = { leaves: [], obsolete: [] };

export const leafKey = (list: string, leaf: string) => `list:${list}:${leaf}`;

export interface StoredLists {
  rootItemOf(name: string): MirroredItem<Root>;
  /** @throws StepwellError `unavailable` if the leaf is damaged or missing */
  readLeaf(name: string, leaf: string): Promise<readonly Row[]>;
}

export function createStoredLists(items: ChecksummedItems): StoredLists {
  return {
    rootItemOf: (name) => createMirroredItem(items, (copy) => leafKey(name, copy), `The list "${name}"`, isRoot),

    async readLeaf(name, leaf) {
      const key = leafKey(name, leaf);
      const found = await items.find(key);
      if (typeof found !== "object" || !isRows(found.value)) throw damaged(key, `Part of the list "${name}"`);
      return found.value;
    },
  };
}

/** The checksum proves that the value is intact. This checks that it is a root. */
function isRoot(value: unknown): value is Root {
  return isRecord(value) && Array.isArray(value["leaves"]) && Array.isArray(value["obsolete"]);
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value);
}
