/** The names of all texts. */
import type { en } from "./en/index.ts";

/** All texts: those of English give the names. A missing or a further one in another language is a compile error. */
export type Messages = Widened<typeof en>;

/** A text of another language may be any string. */
type Widened<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends string
    ? string
    : Group[Name] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : Widened<Group[Name]>;
};
