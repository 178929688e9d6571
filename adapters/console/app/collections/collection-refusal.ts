/** Why a collection and its records cannot be changed: what the server would refuse is not offered. */
import type { Collection } from "../../../../src/collections/collection.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";

/** @param collection Undefined while it is read, or if it cannot be. */
export function useCollectionRefusal(collection: Pick<Collection, "deleted"> | undefined): string | undefined {
  const { collections: texts } = useTexts();
  const refusal = useScopeRefusal("collections:write");
  return refusal ?? (collection?.deleted === true ? texts.restoreFirst : undefined);
}
