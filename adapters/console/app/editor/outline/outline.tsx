/** The steps as a tree, in the order of the run, with every action of the canvas (ARIA Authoring Practices, tree view). */
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { seenKey } from "../../elements/seen-key.ts";
import { actionOf } from "../../shortcuts/shortcut-table.ts";
import { OUTLINE_SHORTCUTS } from "../../shortcuts/step-shortcuts.ts";
import { outlineTree, type StepNode } from "../draft/outline-tree.ts";
import type { EditorActions } from "../editor-actions.ts";
import { OutlineRow } from "./outline-row.tsx";
import { actOnRow, type OpenStep } from "./row-actions.ts";
import { type Row, rowAfterRemoval, rowsOf, rowTowards } from "./rows.ts";
import "./outline.css";

export interface OutlineProps {
  readonly label: string;
  readonly definition: Pick<Definition, "steps">;
  /** Key of the chosen step. */
  readonly chosen: string | null;
  readonly onChoose: (step: string | null) => void;
  readonly onOpen?: OpenStep;
  /** Whether one click opens a step, too. @default false */
  readonly opensOnClick?: boolean;
  /** Number of problems, by the keys of steps. */
  readonly problems?: ReadonlyMap<string, number>;
  /** Null for what only shows. */
  readonly actions: EditorActions | null;
  /** Whether single letters act. */
  readonly hasLetters?: boolean;
}

const NO_PROBLEMS: ReadonlyMap<string, number> = new Map();

export function Outline(props: OutlineProps) {
  const { label, definition, chosen, onChoose, onOpen, problems = NO_PROBLEMS, actions, hasLetters = true } = props;
  const tree = useTree(definition);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => rowsOf(tree, closed), [tree, closed]);
  const [focusedWay, setFocusedWay] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  /** The row that had the focus last. */
  const held = useRef<string | null>(null);
  const focused = focusedRow(rows, chosen, focusedWay);

  // The address, a search or a list of problems may choose a step far below.
  useEffect(() => {
    if (chosen !== null)
      list.current?.querySelector(`[data-step="${CSS.escape(chosen)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const shown = useRef(rows);
  // Else it would go to the button of another row.
  useLayoutEffect(() => {
    const next = rowAfterRemoval(shown.current, rows, held.current);
    shown.current = rows;
    if (next !== undefined && document.activeElement === document.body) reachRow(next);
  });

  // Rows keep the function of an earlier drawing.
  function toggle(id: string): void {
    setClosed((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }

  /** A way is no step, so only the outline knows that it has the focus. */
  function enter(row: Row): void {
    setFocusedWay(row.kind === "way" ? row.id : null);
    if (row.kind === "step") onChoose(row.node.key);
  }

  function reachRow(id: string): void {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) return;
    enter(row);
    list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Keys of the buttons in a row are theirs.
    const action = actionOf(OUTLINE_SHORTCUTS, event, hasLetters);
    if (action === undefined || !(event.target instanceof HTMLElement)) return;
    const row = rows.find(({ id }) => event.target instanceof HTMLElement && event.target.dataset["row"] === id);
    if (row === undefined) return;
    if (action !== "move") {
      const { to, toggle: toggled } = rowTowards(rows, closed, row.id, seenKey(event));
      if (to !== undefined) reachRow(to);
      if (toggled !== undefined) toggle(toggled);
      if (to !== undefined || toggled !== undefined) {
        event.preventDefault();
        return;
      }
    }
    if (actOnRow(action, event.key, row, { actions, onOpen })) event.preventDefault();
  }

  return (
    <div
      ref={list}
      id="outline"
      className="outline"
      role="tree"
      aria-label={label}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        held.current = target.closest<HTMLElement>("[data-row]")?.dataset["row"] ?? null;
      }}
    >
      {rows.map((row) => (
        <OutlineRow
          key={row.id}
          row={row}
          step={row.kind === "step" ? definition.steps[row.node.index] : undefined}
          count={definition.steps.length}
          isOpen={row.hasChildren ? !closed.has(row.id) : null}
          isFocused={row === focused}
          isChosen={row.kind === "step" && row.node.key === chosen && focusedWay === null}
          problems={row.kind === "step" ? (problems.get(row.node.key) ?? 0) : 0}
          actions={actions}
          onEnter={enter}
          onToggle={toggle}
          onOpen={onOpen}
          opensOnClick={props.opensOnClick === true}
        />
      ))}
    </div>
  );
}

/** The tree stays the same object while its steps lead where they did: typing into a step draws only its own row anew. */
function useTree(definition: OutlineProps["definition"]): readonly StepNode[] {
  const shown = useRef<{ readonly tree: readonly StepNode[]; readonly text: string } | null>(null);
  return useMemo(() => {
    const tree = outlineTree(definition);
    const text = JSON.stringify(tree);
    if (shown.current?.text !== text) shown.current = { tree, text };
    return shown.current.tree;
  }, [definition]);
}

/** The one row that the Tab key reaches. */
function focusedRow(rows: readonly Row[], chosen: string | null, way: string | null): Row | undefined {
  const found = way === null ? undefined : rows.find(({ id }) => id === way);
  return found ?? rows.find((row) => row.kind === "step" && row.node.key === chosen) ?? rows[0];
}
