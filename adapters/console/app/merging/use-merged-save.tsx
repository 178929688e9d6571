/** Saves a form of something that others may change meanwhile, and asks about what both have changed. */
import { type ReactNode, useRef, useState } from "react";
import { isServerError } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { ClashNote, type FieldNames, namesOf } from "./clash-note.tsx";
import { isSameJson } from "./same-json.ts";
import { type Outcome, saveMerged, type Way } from "./save-merged.ts";
import { type Clash, type Path, withPart } from "./three-way.ts";

interface MergedForm<Resource extends object, Fields extends object> extends Way<Resource, Fields> {
  /** What the form is filled with at first; null for a new one. */
  readonly first: Resource | null;
  readonly names: FieldNames;
  /** What the form shows now. */
  readonly current: () => Fields;
  /** Shows other values where they differ. */
  readonly show: (fields: Fields, before: Fields) => void;
}

export interface MergedSave<Resource, Fields> {
  /** Resolves to what is stored; to null if there is something to choose first, which the note says. */
  readonly save: (fields: Fields) => Promise<Saved<Resource> | null>;
  /** What is to be chosen, for the top of the form. */
  readonly note: ReactNode;
  /** What the form was filled with last. */
  readonly base: () => Resource | null;
  /** To be called when the form shows another state. */
  readonly rebase: (resource: Resource) => void;
  /** Whether it is what was sent last, without a response. */
  readonly isUnanswered: (resource: Resource) => boolean;
}

export interface Saved<Resource> {
  readonly stored: Resource;
  /** Says what others have changed; empty for nothing. */
  readonly elsewhere: string;
}

interface Choice {
  readonly clashes: readonly Clash[];
  readonly elsewhere: readonly Path[];
}

/** A response that says that the request was refused, so that nothing was stored. */
const isRefused = (cause: unknown): boolean => isServerError(cause) && cause.status < 500;

export function useMergedSave<Resource extends object, Fields extends object>(
  form: MergedForm<Resource, Fields>,
): MergedSave<Resource, Fields> {
  const { general } = useTexts();
  const base = useRef(form.first);
  const lost = useRef<readonly Fields[]>([]);
  const [choice, setChoice] = useState<Choice | null>(null);

  function rebase(resource: Resource): void {
    base.current = resource;
    lost.current = [];
    setChoice(null);
  }

  async function send(fields: Fields): Promise<Outcome<Resource, Fields>> {
    let sent = fields;
    const write: Way<Resource, Fields>["write"] = (next, from) => {
      sent = next;
      return form.write(next, from);
    };
    try {
      return await saveMerged({ ...form, write }, { base: base.current, fields, lost: lost.current });
    } catch (cause) {
      if (!isRefused(cause)) lost.current = [...lost.current, sent];
      throw cause;
    }
  }

  async function save(fields: Fields): Promise<Saved<Resource> | null> {
    const outcome = await send(fields);
    const { elsewhere } = outcome;
    if (outcome.kind === "saved") {
      rebase(outcome.stored);
      const names = namesOf(elsewhere, form.names);
      return { stored: outcome.stored, elsewhere: names === "" ? "" : general.changedElsewhere(names) };
    }
    rebase(outcome.theirs);
    form.show(outcome.fields, fields);
    setChoice({ clashes: outcome.clashes, elsewhere });
    return null;
  }

  function take(taken: readonly Clash[]): void {
    const now = form.current();
    form.show(
      taken.reduce((fields, { path, theirs }) => withPart(fields, path, theirs), now),
      now,
    );
    setChoice((before) => {
      const left = before?.clashes.filter((one) => !taken.includes(one)) ?? [];
      return before === null || left.length === 0 ? null : { ...before, clashes: left };
    });
  }

  return {
    save,
    note: choice === null ? null : <ClashNote {...choice} names={form.names} onTake={take} />,
    base: () => base.current,
    rebase,
    isUnanswered: (resource) => isSameJson(lost.current.at(-1), form.fieldsOf(resource)),
  };
}
