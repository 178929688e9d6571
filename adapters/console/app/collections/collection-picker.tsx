/** Chooses a collection of the app. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { ItemPicker, type PickerProps } from "../elements/fields/item-picker.tsx";
import { client } from "../server/client.ts";

/** More are found by their address only. */
const MAX_LISTED = 1_000;

/** The collections of an app, to choose one of them. */
const collectionsQuery = (appId: string) =>
  queryOptions({
    queryKey: [appId, "collections", "all"],
    queryFn: ({ signal }) => client.with({ signal }).collections.list(appId, { take: MAX_LISTED }),
  });

export function CollectionPicker({ appId, ...rest }: PickerProps) {
  const collections = useQuery(collectionsQuery(appId));
  return <ItemPicker items={collections.data?.items ?? []} {...rest} />;
}

/** The name of a collection; its id until it is known, and for one that was deleted. */
export function CollectionName({ appId, collectionId }: { readonly appId: string; readonly collectionId: string }) {
  const collections = useQuery(collectionsQuery(appId));
  const found = collections.data?.items.find(({ id }) => id === collectionId);
  return found === undefined ? <code>{collectionId}</code> : <bdi>{found.name}</bdi>;
}
