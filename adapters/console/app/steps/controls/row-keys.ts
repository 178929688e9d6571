/** Keys of rows that have names. A renamed row keeps its key, so that the focus in it stays. */
import { useState } from "react";

interface RowKeys {
  readonly keyOf: (name: string) => number;
  readonly rename: (from: string, to: string) => void;
}

export const useRowKeys = (): RowKeys => useState(createRowKeys)[0];

function createRowKeys(): RowKeys {
  const keys = new Map<string, number>();
  let last = 0;
  function keyOf(name: string): number {
    const key = keys.get(name) ?? ++last;
    keys.set(name, key);
    return key;
  }
  return {
    keyOf,
    rename(from, to) {
      keys.set(to, keyOf(from));
      keys.delete(from);
    },
  };
}
