/** The first rows of a list that may have thousands, and those that a person must see. */
import { type ReactNode, useMemo, useState } from "react";
import { Button } from "../../elements/controls/button.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { placeIn, useForm } from "../form-context.ts";

/** Rows that are shown at first, and more with each click. */
const SHOWN_ROWS = 200;

export interface ShownRows {
  /** @param place Of the row: one with an error is always shown. */
  readonly isShown: (index: number, place: string) => boolean;
  /** The button that shows more; null if all are shown. */
  readonly more: ReactNode;
  /** Call it when rows are added: they are shown. */
  readonly onAdd: (at: number, rows: number) => void;
}

/** @param place Of the list. @param total How many rows it has. */
export function useShownRows(place: string, total: number): ShownRows {
  const { general } = useTexts();
  const { errors } = useForm();
  const format = useFormat();
  const [count, setCount] = useState(SHOWN_ROWS);
  const [atEnd, setAtEnd] = useState(0);
  const wrong = useMemo(() => placesBelow(place, errors.keys()), [place, errors]);
  return {
    isShown: (index, row) => index < count || index >= total - atEnd || wrong.has(row),
    more:
      total > count + atEnd ? (
        <Button kind="quiet" onClick={() => setCount(count + SHOWN_ROWS)}>
          {general.loadMore} ({format.number(total - count - atEnd)})
        </Button>
      ) : null,
    onAdd(at, rows) {
      const shown = Math.min(rows, SHOWN_ROWS);
      if (at <= count) setCount(count + shown);
      else setAtEnd(atEnd + shown);
    },
  };
}

/** The places of the rows in which something is wrong. */
function placesBelow(place: string, errors: Iterable<string>): ReadonlySet<string> {
  const start = placeIn(place, "");
  const rows = [...errors].flatMap((error) => {
    if (!error.startsWith(start)) return [];
    const end = error.indexOf("/", start.length);
    return [end < 0 ? error : error.slice(0, end)];
  });
  return new Set(rows);
}
