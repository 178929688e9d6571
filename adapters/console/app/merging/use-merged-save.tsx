/** Saves a form of something that others may change meanwhile, and asks about what both have changed. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTexts } from "../texts/language.ts";
import { ClashNote, type FieldNames, namesOf } from "./clash-note.tsx";
import { rememberLost } from "./lost-writes.ts";
import { isSameJson } from "./same-json.ts";
import { saveMerged, type Way } from "./save-merged.ts";
import { type Clash, merged, type Path, partAt, pathPointer, withPart } from "./three-way.ts";

interface MergedForm<Resource extends object, Fields extends object> extends Way<Resource, Fields> {
  /** What the form is filled with at first; null for a new one. */
  readonly first: Resource | null;
  /** What is stored now, as far as the page knows: shown while nothing is changed. @default `first` */
  readonly latest?: Resource;
  readonly names: FieldNames;
  /** What the form shows now, as far as it can be read. */
  readonly current: () => Fields;
  /** Whether all that the form shows can be read; else it shows nothing else until it is saved. @default it can */
  readonly isReadable?: () => boolean;
  /**
   * Shows other values where they differ.
   * @param isStored Whether all of them are stored, so that the form can be filled again.
   */
  readonly show: (fields: Fields, before: Fields, isStored: boolean) => void;
  /** Called when `latest` is what was sent last, though its response was lost. @param isAll Whether nothing was entered since. */
  readonly onAnswered?: (isAll: boolean) => void;
}

export interface MergedSave<Resource, Fields> {
  /** Resolves to what is stored; to null if there is something to choose first, which the note says. */
  readonly save: (fields: Fields) => Promise<Saved<Resource> | null>;
  /** What is to be chosen, for the top of the form. */
  readonly note: ReactNode;
  /** What is stored, as far as the form shows it. */
  readonly base: () => Resource | null;
  /** Whether something was entered that is not stored. */
  readonly isChanged: () => boolean;
}

export interface Saved<Resource> {
  readonly stored: Resource;
  /** Whether nothing was entered since it was sent. */
  readonly isAll: boolean;
  /** Says what others have changed; empty for nothing. */
  readonly elsewhere: string;
}

interface Choice {
  readonly clashes: readonly Clash[];
  readonly elsewhere: readonly Path[];
}

const NO_CHOICE: Choice = { clashes: [], elsewhere: [] };

const withTheirs = <Fields extends object>(fields: Fields, clashes: readonly Clash[]): Fields =>
  clashes.reduce((before, { path, theirs }) => withPart(before, path, theirs), fields);

export function useMergedSave<Resource extends object, Fields extends object>(
  form: MergedForm<Resource, Fields>,
): MergedSave<Resource, Fields> {
  const { general } = useTexts();
  // A response arrives when the form shows something else than when it was sent.
  const newest = useRef(form);
  newest.current = form;
  const base = useRef(form.first);
  /** What the base was where the form does not show what others have changed; null before anything was stored. */
  const before = useRef<Fields | null>(null);
  const lost = useRef<readonly Fields[]>([]);
  const isSending = useRef(false);
  const [choice, setChoice] = useState<Choice | null>(null);

  /**
   * Shows what is stored, with what is not. What was entered since the form was sent stays.
   * @param fields What the form shows if nothing was entered since.
   */
  function adopt(resource: Resource, sent: Fields, fields: Fields, { clashes, elsewhere }: Choice = NO_CHOICE) {
    const { fieldsOf, isWhole, current, isReadable, show } = newest.current;
    const [stored, now] = [fieldsOf(resource), current()];
    const isShown = isReadable?.() !== false;
    const next = merged(sent, now, fields, isWhole);
    if (isShown) show(next.value, now, isSameJson(next.value, stored));
    base.current = resource;
    lost.current = [];
    // What others have changed, but the form does not show, is asked about when it is saved again.
    const hidden = isShown ? next.clashes.map(({ path }) => path) : merged(sent, sent, fields).elsewhere;
    before.current = hidden.reduce((known, path) => withPart(known, path, partAt(sent, path)), stored);
    const names = new Set(hidden.map(pathPointer));
    const shown = elsewhere.filter((path) => !names.has(pathPointer(path)));
    setChoice(clashes.length === 0 ? null : { clashes, elsewhere: shown });
    return { isAll: isShown && isSameJson(now, sent), elsewhere: shown };
  }

  function isChanged(): boolean {
    const { fieldsOf, current, isReadable } = newest.current;
    if (base.current === null) return false;
    return isReadable?.() === false || !isSameJson(current(), fieldsOf(base.current));
  }

  useEffect(() => {
    const { latest, revisionOf, fieldsOf, current, onAnswered } = form;
    if (latest === undefined || base.current === null || isSending.current) return;
    if ((revisionOf(latest) ?? 0) <= (revisionOf(base.current) ?? 0)) return;
    const stored = fieldsOf(latest);
    const sent = lost.current.at(-1);
    if (sent !== undefined && isSameJson(sent, stored)) onAnswered?.(adopt(latest, sent, stored).isAll);
    else if (!isChanged()) adopt(latest, current(), stored);
  });

  async function save(fields: Fields): Promise<Saved<Resource> | null> {
    isSending.current = true;
    try {
      const outcome = await saveMerged(
        { ...form, write: rememberLost(form.write, lost) },
        { base: base.current, before: before.current ?? undefined, fields, lost: lost.current },
      );
      if (outcome.kind === "clash") {
        adopt(outcome.theirs, fields, outcome.fields, outcome);
        return null;
      }
      const { stored } = outcome;
      const { isAll, elsewhere } = adopt(stored, fields, form.fieldsOf(stored), { ...outcome, clashes: [] });
      const names = namesOf(elsewhere, form.names);
      return { stored, isAll, elsewhere: names === "" ? "" : general.changedElsewhere(names) };
    } finally {
      isSending.current = false;
    }
  }

  function take(taken: readonly Clash[]): void {
    const now = form.current();
    form.show(withTheirs(now, taken), now, false);
    setChoice((shown) => {
      const left = shown?.clashes.filter((one) => !taken.includes(one)) ?? [];
      return shown === null || left.length === 0 ? null : { ...shown, clashes: left };
    });
  }

  return {
    save,
    note: choice === null ? null : <ClashNote {...choice} names={form.names} onTake={take} />,
    base: () => base.current,
    isChanged,
  };
}
