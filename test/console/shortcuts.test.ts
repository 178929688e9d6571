/** Each key that a screen handles stands in a table, and each table on the page of shortcuts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EDITOR_SHORTCUTS } from "../../adapters/console/app/editor/editor-shortcuts.ts";
import { LIST_SHORTCUTS } from "../../adapters/console/app/runs/list-shortcuts.ts";
import { shortcutGroups } from "../../adapters/console/app/shortcuts/shortcut-groups.ts";
import { actionOf } from "../../adapters/console/app/shortcuts/shortcut-table.ts";
import { CANVAS_SHORTCUTS } from "../../adapters/console/app/shortcuts/step-shortcuts.ts";
import { en } from "../../adapters/console/app/texts/en/index.ts";

const APP = join(import.meta.dirname, "../../adapters/console/app");
const files = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
const textOf = (name: string) => readFileSync(join(APP, name), "utf8");

const pressed = (
  key: string,
  modifiers: Partial<Record<"shiftKey" | "ctrlKey" | "metaKey" | "altKey", boolean>> = {},
) => ({
  ...{ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false },
  ...modifiers,
});

describe("actionOf", () => {
  it("takes modifiers into account", () => {
    expect(actionOf(EDITOR_SHORTCUTS, pressed("z", { ctrlKey: true }), true)).toBe("undo");
    expect(actionOf(EDITOR_SHORTCUTS, pressed("Z", { metaKey: true, shiftKey: true }), true)).toBe("redo");
    expect(actionOf(EDITOR_SHORTCUTS, pressed("z", { ctrlKey: true, altKey: true }), true)).toBeUndefined();
    expect(actionOf(CANVAS_SHORTCUTS, pressed("ArrowUp", { altKey: true }), true)).toBe("move");
    expect(actionOf(CANVAS_SHORTCUTS, pressed("ArrowUp"), true)).toBe("along");
    expect(actionOf(LIST_SHORTCUTS, pressed(" ", { shiftKey: true }), true)).toBe("selectTo");
  });

  it("finds signs also where a keyboard needs Shift for them, and letters with the caps lock", () => {
    expect(actionOf(CANVAS_SHORTCUTS, pressed("/", { shiftKey: true }), true)).toBe("find");
    expect(actionOf(CANVAS_SHORTCUTS, pressed("A"), true)).toBe("add");
  });

  it("ignores single letters that are turned off", () => {
    expect(actionOf(CANVAS_SHORTCUTS, pressed("a"), false)).toBeUndefined();
    expect(actionOf(CANVAS_SHORTCUTS, pressed("F2"), false)).toBe("rename");
  });
});

/** Keys that a widget has by itself in every application (ARIA Authoring Practices), or that a browser gives to a field. */
const WIDGETS = [
  "code-editor/code-editor.tsx",
  "code-editor/editor.ts",
  "editor/dialogs/choice-list.tsx",
  "elements/controls/menu.tsx",
  "elements/controls/tabs.tsx",
  "elements/dialogs/dialog-focus.ts",
  // Escape, where it would lose what the dialog shows.
  "elements/dialogs/dialog.tsx",
  "expressions/value-keys.ts",
  "forms/lists/list-control.tsx",
  "forms/lists/tags-control.tsx",
  "forms/text-control.tsx",
  "frame/command-menu.tsx",
  // Enter in a field of a form that must not send it.
  "inbox/keep-from-sending.ts",
  // Keys that a box and a link use themselves.
  "runs/list-keys.ts",
  "steps/step-editor.tsx",
];

describe("the page of shortcuts", () => {
  it("lists every key that a screen handles", () => {
    const handlers = files.filter((name) => /onKeyDown|"keydown"|KeyboardEvent/.test(textOf(name)));
    const comparing = handlers.filter((name) =>
      /\bkey(?:\.toLowerCase\(\))? [!=]== "|\[event\.key\]/.test(textOf(name)),
    );
    expect(handlers.length).toBeGreaterThan(10);
    expect(comparing.filter((name) => !WIDGETS.includes(name))).toEqual([]);
    const tables = files
      .filter((name) => name.endsWith("-shortcuts.ts"))
      .flatMap((name) =>
        [...textOf(name).matchAll(/^export const (\w+_SHORTCUTS)\b/gm)].map(([, table = ""]) => table),
      );
    const shown = textOf("shortcuts/shortcut-groups.ts");
    expect(tables.length).toBe(shortcutGroups(en.shortcuts).length);
    expect(tables.filter((table) => !new RegExp(`import [^;]*\\b${table}\\b`).test(shown))).toEqual([]);
  });

  it("names each combination of a group once, and every action of it", () => {
    for (const { title, rows } of shortcutGroups(en.shortcuts)) {
      const combinations = rows.flatMap(({ keys, letters }) => [...keys, ...letters]);
      expect([title, new Set(combinations).size]).toEqual([title, combinations.length]);
      expect(rows.filter(({ does, keys, letters }) => does === "" || keys.length + letters.length === 0)).toEqual([]);
    }
  });
});
