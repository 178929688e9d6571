/** A long text: its beginning, and more of it when asked for. */
import { useMemo, useState } from "react";
import { approximateJsonSize, type JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { jsonStart } from "../../elements/values/json-start.ts";
import { TextPages } from "../../elements/values/text-pages.tsx";
import { visibleJson, visibleText } from "../../elements/values/visible-text.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";

/** Characters that are shown at first, and more with each step. */
const MAX_CHARS = 262_144;

/** Longer values are not counted to their end: the length is a hint. */
const MAX_COUNTED = 64 * 1024 * 1024;

interface LongTextProps {
  readonly value: JsonValue;
  /** `text`: a text as it is. `written`: a text that is JSON already. `json`: any value, as JSON. */
  readonly as: "text" | "written" | "json";
}

export function LongText({ value, as }: LongTextProps) {
  const { general } = useTexts();
  const format = useFormat();
  const [count, setCount] = useState(MAX_CHARS);
  const isText = as !== "json" && typeof value === "string";
  const length = useMemo(() => (isText ? value.length : approximateJsonSize(value, MAX_COUNTED)), [isText, value]);
  const { shown, isCut } = useMemo(() => {
    const start = isText ? value.slice(0, count + 1) : jsonStart(value, count + 1);
    const found = start.slice(0, count);
    return { shown: as === "text" ? visibleText(found) : visibleJson(found), isCut: start.length > count };
  }, [value, as, isText, count]);
  return (
    <>
      <pre className="long-text" tabIndex={0} dir={as === "text" ? "auto" : "ltr"}>
        <TextPages text={shown} />
      </pre>
      {isCut ? (
        <p className="cut-note">
          {general.tooLong(format.size(count), format.size(Math.max(length, count)))}{" "}
          <Button kind="quiet" onClick={() => setCount(count + MAX_CHARS)}>
            {general.loadMore}
          </Button>
        </p>
      ) : null}
    </>
  );
}
