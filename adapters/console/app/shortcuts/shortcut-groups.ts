/** All tables of keys, with what people read of them. Pure. */
import { EDITOR_SHORTCUTS } from "../editor/editor-shortcuts.ts";
import { FRAME_SHORTCUTS } from "../frame/frame-shortcuts.ts";
import { INBOX_SHORTCUTS } from "../inbox/inbox-shortcuts.ts";
import { REFERENCE_SHORTCUTS } from "../reference/reference-shortcuts.ts";
import { RUN_SHORTCUTS } from "../run/run-shortcuts.ts";
import { LIST_SHORTCUTS } from "../runs/list-shortcuts.ts";
import { ROW_SHORTCUTS } from "../steps/controls/row-shortcuts.ts";
import type { Messages } from "../texts/messages.ts";
import { FORM_SHORTCUTS } from "./form-shortcuts.ts";
import type { Shortcut } from "./shortcut-table.ts";
import { CANVAS_SHORTCUTS, OUTLINE_SHORTCUTS } from "./step-shortcuts.ts";

export interface ShortcutGroup {
  readonly title: string;
  /** When the keys act, if that is not always. */
  readonly hint: string | undefined;
  readonly rows: readonly ShortcutRow[];
}

interface ShortcutRow extends Pick<Shortcut<string>, "keys" | "letters"> {
  readonly action: string;
  /** What the keys do. */
  readonly does: string;
}

export function shortcutGroups({ groups, hint, actions }: Messages["shortcuts"]): readonly ShortcutGroup[] {
  // Most keys do the same as on the canvas.
  const outline = { ...actions.canvas, ...actions.outline };
  return [
    { title: groups.everywhere, hint: undefined, rows: rowsOf(FRAME_SHORTCUTS, actions.everywhere) },
    { title: groups.list, hint, rows: rowsOf(LIST_SHORTCUTS, actions.list) },
    { title: groups.run, hint, rows: rowsOf(RUN_SHORTCUTS, actions.run) },
    { title: groups.forms, hint: undefined, rows: rowsOf(FORM_SHORTCUTS, actions.forms) },
    { title: groups.inbox, hint: undefined, rows: rowsOf(INBOX_SHORTCUTS, actions.inbox) },
    { title: groups.editor, hint: undefined, rows: rowsOf(EDITOR_SHORTCUTS, actions.editor) },
    { title: groups.canvas, hint, rows: rowsOf(CANVAS_SHORTCUTS, actions.canvas) },
    { title: groups.outline, hint, rows: rowsOf(OUTLINE_SHORTCUTS, outline) },
    { title: groups.rows, hint, rows: rowsOf(ROW_SHORTCUTS, actions.rows) },
    { title: groups.reference, hint: undefined, rows: rowsOf(REFERENCE_SHORTCUTS, actions.reference) },
  ];
}

/** Each action of a table has a text, which the types require. */
function rowsOf<Action extends string>(
  table: readonly Shortcut<Action>[],
  texts: Readonly<Record<Action, string>>,
): readonly ShortcutRow[] {
  return table.map((shortcut) => ({ ...shortcut, does: texts[shortcut.action] }));
}
