/** Why a collection and its records cannot be changed: what the server would refuse is not offered. */
import type { Collection } from "../../../../src/collections/collection.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";

/** @param collection Undefined while it is read, or if it cannot be. */
export function useRefusal(collection: Pick<Collection, "deleted"> | undefined): string | undefined {
  const { collections: texts, general } = useTexts();
  const mayWrite = useMay("collections:write");
  if (!mayWrite) return general.needsScope("collections:write");
  return collection?.deleted === true ? texts.restoreFirst : undefined;
}
