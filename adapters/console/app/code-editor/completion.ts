/** What an editor offers while somebody types. Without the editor itself, which is loaded later. */

export type CompletionKind = "variable" | "property" | "function" | "keyword";

export interface Completion {
  /** What is shown, and compared with what was typed. */
  readonly label: string;
  /** What is inserted. @default `label` */
  readonly insert?: string;
  /** What stands behind the cursor, such as closing braces. */
  readonly after?: string;
  /** Shown beside the label, such as a type or a value. */
  readonly detail?: string;
  /** What it means, in a sentence or two. */
  readonly documentation?: string;
  readonly kind: CompletionKind;
}

export interface CompletionList {
  /** Where what was typed begins. */
  readonly from: number;
  readonly options: readonly Completion[];
}

/**
 * @param position Index of the cursor.
 * @param isExplicit Whether somebody has asked for it. If not, nothing is offered where nothing was typed.
 */
export type Complete = (text: string, position: number, isExplicit: boolean) => CompletionList | null;

/** A mistake in a text. */
export interface EditorProblem {
  readonly message: string;
  /** Index of the first character. @default the whole text */
  readonly from?: number | undefined;
  /** Index after the last character. @default one character */
  readonly to?: number | undefined;
  /** Whether it prevents nothing. @default false */
  readonly isWarning?: boolean | undefined;
}
