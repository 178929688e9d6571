/**
 * An editor for code, JSON, expressions and templates. Until it is loaded, and if it cannot be loaded, a text area stands
 * in its place, so that nobody waits for it.
 */
import { type RefObject, useEffect, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { useStable } from "../elements/use-stable.ts";
import { loadPatiently } from "../loading/load-chunk.ts";
import { useTexts } from "../texts/language.ts";
import type { Complete, EditorProblem } from "./completion.ts";
import { directionOf } from "./direction.ts";
import type { Editor, EditorSettings } from "./editor.ts";
import type { EditorLanguage } from "./editor-language.ts";
import "./code-editor.css";

/** What others can do with an editor. */
export interface EditorHandle {
  focus(): void;
  /** Replaces the selection. */
  insert(text: string): void;
  /** Replaces the whole text, as a change of the person, and puts the cursor behind it. */
  write(text: string): void;
  select(from: number, to: number): void;
}

export interface CodeEditorProps {
  readonly language: EditorLanguage;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Names the editor for screen readers. */
  readonly label: string;
  /** Describes the editor for screen readers. Such a text lies in another tree than the editor, so ids cannot lead to it. */
  readonly description?: string | undefined;
  /** @default false */
  readonly isSingleLine?: boolean;
  /** @default false */
  readonly isReadOnly?: boolean;
  /** What may be written, shown as an example while it is empty. @default nothing */
  readonly placeholder?: string | undefined;
  readonly problems?: readonly EditorProblem[];
  readonly complete?: Complete | undefined;
  readonly onFocus?: (() => void) | undefined;
  readonly onBlur?: (() => void) | undefined;
  readonly ref?: RefObject<EditorHandle | null> | undefined;
}

const NO_PROBLEMS: readonly EditorProblem[] = [];

const isInvalid = (problems: readonly EditorProblem[] = NO_PROBLEMS) =>
  problems.some(({ isWarning }) => isWarning !== true);

export function CodeEditor(props: CodeEditorProps) {
  const { language, isSingleLine = false, onFocus, onBlur, ref } = props;
  const { codeEditor: texts } = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const fallback = useRef<HTMLTextAreaElement>(null);
  const example = props.placeholder === undefined ? "" : texts.example(props.placeholder);
  const { editor, description } = useEditor(props, host, fallback, example);
  const direction = directionOf(language);

  const handle = () => handleOf(editor, fallback, props.onChange);
  useFocusEvents(frame, onFocus, onBlur);
  useReached(frame, props.problems, handle);
  useImperativeHandle(ref, handle, [editor, props.onChange]);

  return (
    <div ref={frame} className={`code-editor${isSingleLine ? " single-line" : ""}`}>
      <div
        ref={host}
        className="code-editor-host"
        data-language={language}
        dir={direction === "auto" ? undefined : direction}
        hidden={editor === null}
      />
      {description}
      {isSingleLine || editor === null ? null : (
        <p className="leave-hint" aria-hidden="true">
          {texts.howToLeave}
        </p>
      )}
      {editor === null ? (
        <textarea
          ref={fallback}
          rows={isSingleLine ? 1 : undefined}
          dir={direction}
          aria-label={props.label}
          aria-description={props.description}
          aria-invalid={isInvalid(props.problems)}
          spellCheck={false}
          readOnly={props.isReadOnly === true}
          placeholder={example}
          value={props.value}
          onChange={({ target }) => props.onChange(target.value)}
        />
      ) : null}
    </div>
  );
}

function useFocusEvents(
  frame: RefObject<HTMLDivElement | null>,
  onFocus: (() => void) | undefined,
  onBlur: (() => void) | undefined,
): void {
  useEffect(() => {
    const { current: element } = frame;
    const ending = new AbortController();
    element?.addEventListener("focusin", () => onFocus?.(), { signal: ending.signal });
    element?.addEventListener("focusout", () => onBlur?.(), { signal: ending.signal });
    // Who came with Tab sees how to leave, too. A click must not move what it points at.
    const show = ({ key }: KeyboardEvent) => key === "Tab" && element?.scrollIntoView({ block: "nearest" });
    element?.addEventListener("keyup", show, { signal: ending.signal });
    return () => ending.abort();
  }, [frame, onFocus, onBlur]);
}

/** Asks the editor that an element is in for the focus, with the cursor at its first mistake. */
export const reachMistake = (within: Element): void => {
  within.dispatchEvent(new Event(REACH, { bubbles: true }));
};

const REACH = "reachmistake";

function useReached(
  frame: RefObject<HTMLDivElement | null>,
  problems: readonly EditorProblem[] = NO_PROBLEMS,
  handle: () => EditorHandle,
): void {
  const onReached = useStable(() => {
    const { focus, select } = handle();
    const from = problems.find((problem) => problem.from !== undefined)?.from;
    if (from !== undefined) select(from, from);
    focus();
  });
  useEffect(() => {
    const { current: element } = frame;
    element?.addEventListener(REACH, onReached);
    return () => element?.removeEventListener(REACH, onReached);
  }, [frame, onReached]);
}

function useEditor(
  props: CodeEditorProps,
  host: RefObject<HTMLDivElement | null>,
  fallback: RefObject<HTMLTextAreaElement | null>,
  example: string,
) {
  const { codeEditor: texts } = useTexts();
  const { language, isSingleLine = false } = props;
  const [editor, setEditor] = useState<Editor | null>(null);
  const [described, setDescribed] = useState<HTMLElement | null>(null);
  const descriptionId = useId();
  const settings = settingsOf(props);
  const latest = useRef(settings);
  latest.current = settings;

  // Texts and hints of an open editor do not change.
  useEffect(() => {
    const { current: element } = host;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open", delegatesFocus: true });
    const parent = root.appendChild(document.createElement("div"));
    const place = root.appendChild(document.createElement("div"));
    place.id = descriptionId;
    place.hidden = true;
    setDescribed(place);
    let created: Editor | null = null;
    const shape = { language, isSingleLine, placeholder: example, descriptionId, leaveText: texts.leave };
    const gone = new AbortController();
    // Until it is loaded, and if its chunk is gone after an update of the server, the text area stays.
    void loadPatiently(() => openEditor(parent, shape, latest), gone.signal).then((opened) => {
      created = opened;
      if (gone.signal.aborted) opened?.destroy();
      else if (opened !== null) replaceArea(fallback.current, opened, setEditor);
    });
    return () => {
      gone.abort();
      created?.destroy();
      setEditor(null);
      setDescribed(null);
      root.replaceChildren();
    };
  }, [language, isSingleLine]);

  // At once: a pending effect would run in the middle of the next keystroke, and take it back.
  useLayoutEffect(() => editor?.update(settings));
  const said = [props.description, isSingleLine ? undefined : texts.howToLeave].filter(Boolean).join(" ");
  return { editor, description: described === null ? null : createPortal(said, described) };
}

async function openEditor(
  parent: HTMLElement,
  shape: Parameters<typeof import("./editor.ts")["createEditor"]>[1],
  settings: RefObject<EditorSettings>,
): Promise<Editor | null> {
  const { createEditor } = await import("./editor.ts");
  return createEditor(parent, shape, settings.current);
}

/** Typing that began in the text area continues in the editor. */
function replaceArea(area: HTMLTextAreaElement | null, editor: Editor, show: (editor: Editor) => void): void {
  const isTyping = area !== null && document.activeElement === area;
  // At once: when the area goes before the editor can take the focus, the page gives it to something else.
  flushSync(() => show(editor));
  if (!isTyping) return;
  editor.select(area.selectionStart, area.selectionEnd);
  editor.focus();
}

function settingsOf({
  value,
  label,
  problems = NO_PROBLEMS,
  isReadOnly = false,
  complete,
  onChange,
}: CodeEditorProps): EditorSettings {
  return { value, label, problems, isReadOnly, isInvalid: isInvalid(problems), complete, onChange };
}

function handleOf(
  editor: Editor | null,
  fallback: RefObject<HTMLTextAreaElement | null>,
  onChange: (value: string) => void,
): EditorHandle {
  if (editor !== null) return editor;
  const { current: area } = fallback;
  return {
    focus: () => area?.focus(),
    select: (from, to) => area?.setSelectionRange(from, to),
    insert(text) {
      if (area === null) return;
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
      onChange(area.value);
      area.focus();
    },
    write(text) {
      onChange(text);
      area?.focus();
    },
  };
}
