/** The step of a literal definition that gives the output of its runs. */

/**
 * The last step of a chain, or the only leaf of a graph; notes are none. `unknown` if the compiler does not know all steps and
 * where each of them leads, if there are several leaves, or if catch routes may choose another.
 */
export type LastStep<Steps extends readonly unknown[]> = number extends Steps["length"]
  ? unknown
  : [Roles<Steps>[number]] extends [KnownRole]
    ? "inner" extends Roles<Steps>[number]
      ? OnlyLeaf<Steps, Roles<Steps>>
      : LastOfChain<Steps>
    : unknown;

type KnownRole = "leaf" | "inner" | "note";

/** The roles of all steps, as a tuple: a union of steps would merge those of the same type. */
type Roles<Steps extends readonly unknown[]> = { [Index in keyof Steps]: Certain<RoleOf<Steps[Index]>> };

/** Distributes over a step that may be one of several. */
type RoleOf<Step> = Step extends { readonly type: infer Type }
  ? string extends Type
    ? "unknown"
    : Type extends "note"
      ? ListRole<Declared<Step, "destinations">> extends "leaf"
        ? "note"
        : "unknown"
      : "on_error" extends keyof Step
        ? "unknown"
        : Type extends "branch"
          ? BranchRole<Step>
          : ListRole<Declared<Step, "destinations">>
  : "unknown";

type Declared<Step, Field extends string> = Step extends unknown
  ? Field extends keyof Step
    ? Step[Field]
    : readonly []
  : never;

type ListRole<Keys> = Keys extends readonly []
  ? "leaf"
  : Keys extends readonly [unknown, ...unknown[]]
    ? "inner"
    : "unknown";

/** A branch without a destination is a leaf, too, but its conditions may have any name. */
type BranchRole<Step> = "inner" extends
  | Certain<ListRole<Declared<Step, "destinations">>>
  | Certain<ListRole<Declared<Step, "else">>>
  | ConditionRole<Step>
  ? "inner"
  : "unknown";

type ConditionRole<Step> = Step extends { readonly conditions: infer Conditions }
  ? string extends keyof Conditions
    ? never
    : { [Name in keyof Conditions]: Certain<ListRole<Declared<Conditions[Name], "destinations">>> }[keyof Conditions]
  : never;

/** A step that only leads to notes would be a leaf. */
type OnlyLeaf<Steps extends readonly unknown[], RolesOfSteps extends readonly unknown[]> = [
  Extract<Targets<Steps[number]>, NoteKeys<Steps[number]>> | Extract<NoteKeys<Steps[number]>, Targets<Steps[number]>>,
] extends [never]
  ? Certain<LeafIndexes<RolesOfSteps>> extends infer Index extends keyof Steps
    ? Steps[Index]
    : unknown
  : unknown;

type LeafIndexes<RolesOfSteps extends readonly unknown[]> = {
  [Index in keyof RolesOfSteps]: RolesOfSteps[Index] extends "leaf" ? Index : never;
}[number];

type NoteKeys<Step> = Step extends { readonly type: "note"; readonly key: infer Key } ? Key : never;

type Targets<Step> =
  | Keys<Declared<Step, "destinations">>
  | Keys<Declared<Step, "else">>
  | (Step extends { readonly conditions: infer Conditions }
      ? Keys<Declared<Conditions[keyof Conditions], "destinations">>
      : never);
type Keys<List> = List extends readonly (infer Key)[] ? Key : never;

type LastOfChain<Steps extends readonly unknown[]> = Steps extends readonly [...infer Before, infer Last]
  ? RoleOf<Last> extends "note"
    ? LastOfChain<Before>
    : Last
  : unknown;

/** The literal itself unless it is one of several. */
export type Certain<Literal, All = Literal> = [Literal] extends [never]
  ? "unknown"
  : Literal extends unknown
    ? [All] extends [Literal]
      ? Literal
      : "unknown"
    : never;
