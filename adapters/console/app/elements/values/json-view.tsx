/** JSON as a tree. Only what is open is in the page, and long lists are cut, so that its size does not matter. */
import { type ReactNode, useMemo, useState } from "react";
import type { JsonValue } from "../../../../../src/json.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { CopyButton } from "../controls/copy-button.tsx";
import { TextPages } from "./text-pages.tsx";
import { visibleJson } from "./visible-text.ts";
import "./json-view.css";

/** Entries of an object or list that are shown at first, and more with each step. */
const ENTRIES = 100;
/** Characters of a text that are shown at first, and more with each step. */
const MAX_TEXT = 4_000;
const MORE_TEXT = 262_144;
const OPEN_DEPTH = 2;
/** Objects with few entries are open at first, unless they are among many. */
const OPEN_ENTRIES = 20;

interface JsonViewProps {
  readonly value: JsonValue;
  /** Expression that leads to the value, such as `steps.fetch.output`. Each part of it offers its own. */
  readonly path?: string | undefined;
  /** Where the value is only the start of one. */
  readonly cut?: Cut | undefined;
  /** Objects with few entries are open down to here. @default 2 */
  readonly openDepth?: number;
}

export interface Cut {
  /** Names of what leads to the text, list or object that is cut. */
  readonly path: readonly string[];
  /** Says at the end of it that there is more. @param shown Number of its entries, or of its characters */
  readonly mark: (shown: number, of: "entries" | "characters") => ReactNode;
}

export function JsonView({ value, path, cut, openDepth = OPEN_DEPTH }: JsonViewProps) {
  return (
    <div className="json-view" dir="ltr">
      <Node name={null} value={value} path={path} depth={0} openDepth={openDepth} cut={cut} />
    </div>
  );
}

interface NodeProps {
  readonly name: string | null;
  readonly value: JsonValue;
  readonly path: string | undefined;
  readonly depth: number;
  readonly openDepth: number;
  /** Undefined for a value that is whole. */
  readonly cut: Cut | undefined;
}

function Node({ value, ...props }: NodeProps) {
  const { name, path, cut } = props;
  if (typeof value === "object" && value !== null) return <Parent {...props} value={value} />;
  return (
    <div className="leaf">
      <Name name={name} />
      <Scalar value={value} />
      {path === undefined ? null : <PathCopy path={path} />}
      {typeof value === "string" ? cut?.mark(value.length, "characters") : null}
    </div>
  );
}

function Parent({ name, value, path, depth, openDepth, cut }: NodeProps & { readonly value: object }) {
  const { general } = useTexts();
  const format = useFormat();
  const isList = Array.isArray(value);
  const [count, setCount] = useState(ENTRIES);
  // A list of a million items has as many names: they are not made.
  const names = useMemo(() => (isList ? null : Object.keys(value)), [isList, value]);
  const total = isList ? value.length : (names?.length ?? 0);
  const [isOpen, setOpen] = useState(depth < openDepth && total <= OPEN_ENTRIES);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const isShown = isOpen || depth === 0;
  // Beside the summary: a control within another one would be reached by no keyboard.
  return (
    <div className="parent">
      <details open={isShown} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Name name={name} />
          <span className="count">
            {open}
            {format.number(total)}
            {cut === undefined ? null : "+"}
            {close}
          </span>
        </summary>
        {isShown ? (
          <div className="entries">
            {(names ?? indexes(Math.min(total, count))).slice(0, count).map((key) => (
              <Node
                key={key}
                name={key}
                value={Reflect.get(value, key)}
                path={pathOf(path, key, isList)}
                depth={total > OPEN_ENTRIES ? openDepth : depth + 1}
                openDepth={openDepth}
                cut={cut !== undefined && cut.path[0] === key ? { ...cut, path: cut.path.slice(1) } : undefined}
              />
            ))}
            {total > count ? (
              <button type="button" className="button quiet" onClick={() => setCount(count + ENTRIES)}>
                {general.loadMore} ({format.number(total - count)})
              </button>
            ) : null}
            {cut !== undefined && (cut.path.length === 0 || depth === 0) ? cut.mark(total, "entries") : null}
          </div>
        ) : null}
      </details>
      {path === undefined ? null : <PathCopy path={path} />}
    </div>
  );
}

const indexes = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => String(index));

/** Names may be of another direction, too. */
function Name({ name }: { readonly name: string | null }) {
  return name === null ? null : (
    <span className="name">
      <bdi>{visibleJson(name.length > MAX_TEXT ? `${name.slice(0, MAX_TEXT)}…` : name)}</bdi>:{" "}
    </span>
  );
}

function Scalar({ value }: { readonly value: string | number | boolean | null }) {
  const { general } = useTexts();
  const format = useFormat();
  const [count, setCount] = useState(MAX_TEXT);
  if (typeof value !== "string") return <span className={value === null ? "null" : typeof value}>{String(value)}</span>;
  const isCut = value.length > count;
  return (
    <span className="string">
      <bdi>
        <TextPages text={visibleJson(JSON.stringify(isCut ? value.slice(0, count) : value))} />
      </bdi>
      {isCut ? (
        <button type="button" className="button quiet" onClick={() => setCount(count + MORE_TEXT)}>
          {general.loadMore} ({format.number(value.length - count)})
        </button>
      ) : null}
    </span>
  );
}

function PathCopy({ path }: { readonly path: string }) {
  return <CopyButton text={path} label={path} />;
}

const NAME = /^[A-Za-z_]\w*$/;

function pathOf(path: string | undefined, key: string, isList: boolean): string | undefined {
  if (path === undefined) return undefined;
  if (isList) return `${path}[${key}]`;
  return NAME.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
