/** What has been read and is changed in its place. */
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { changeRead } from "../../adapters/console/app/live/change-read.ts";

const KEY = ["app", "runs", "list"];
const doubled = (data: unknown) => (typeof data === "number" ? data * 2 : data);

it("is shown by all who look at it, and stays as old as it was", () => {
  const queries = new QueryClient();
  queries.setQueryData(KEY, 4, { updatedAt: 1_000 });
  queries.setQueryData(["other"], 4);
  changeRead(queries, { queryKey: ["app", "runs"] }, doubled);
  expect(queries.getQueryData(KEY)).toBe(8);
  expect(queries.getQueryState(KEY)).toMatchObject({ dataUpdatedAt: 1_000, isInvalidated: false });
  expect(queries.getQueryData(["other"])).toBe(4);
});

it("is still read again when it is opened, if that was wanted", async () => {
  const queries = new QueryClient();
  queries.setQueryData(KEY, 4);
  await queries.invalidateQueries({ queryKey: ["app", "runs"] });
  changeRead(queries, { queryKey: KEY }, doubled);
  changeRead(queries, { queryKey: KEY }, (data) => data);
  expect(queries.getQueryData(KEY)).toBe(8);
  const observer = new QueryObserver(queries, { queryKey: KEY, queryFn: () => 5, staleTime: Number.POSITIVE_INFINITY });
  const stop = observer.subscribe(() => {});
  await expect.poll(() => queries.getQueryData(KEY)).toBe(5);
  stop();
});

it("begins nothing that has not been read yet", () => {
  const queries = new QueryClient();
  changeRead(queries, { queryKey: KEY }, () => 1);
  expect(queries.getQueryCache().getAll()).toEqual([]);
});

it("is only the query of the key itself where that is wanted: keys also match those with more in their lists", () => {
  const queries = new QueryClient();
  const listOf = (...status: string[]) => [...KEY, { status }];
  const all = [listOf(), listOf("running"), listOf("running", "failed")];
  for (const key of all) queries.setQueryData(key, 4);
  changeRead(queries, { queryKey: listOf("running"), exact: true }, doubled);
  expect(all.map((key) => queries.getQueryData(key))).toEqual([4, 8, 4]);
});
