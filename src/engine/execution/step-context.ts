/** What steps execute, and the context that they receive. Types only. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import type { OpenConnection } from "../../connections/connections.ts";
import type { StoreFile } from "../../files/create-file.ts";
import type { ExtractContents } from "../../files/extract-contents.ts";
import type { ReadFile } from "../../files/read-file.ts";
import type { JsonValue } from "../../json.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import type { DescribeWorkflow } from "../../runs/describe-workflow.ts";
import type { Nesting } from "../../runs/run-executor.ts";
import type { StepFailure } from "../../runs/run-step.ts";
import type { ActionContext } from "../../services/service.ts";
import type { Evaluate } from "../expressions/cel.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import type { Outcome } from "../progress/step-state.ts";
import type { StepError } from "../step-error.ts";

/** The capabilities of an effect. */
export interface Effects {
  /** Current time in milliseconds since 1970, from the clock. */
  now(): number;
  /** Called between parts of long work: others get their turn of the event loop. */
  pause(): Promise<void>;
  readonly fetch: GuardedFetch;
  readonly readFile: ReadFile;
  readonly storeFile: StoreFile;
  /** Maximum bytes of a file. */
  readonly fileBytes: number;
  readonly describeWorkflow: DescribeWorkflow;
  /** Returns the contents of one of the app's files, for `extract_contents` and `extract_images`. */
  readonly fileContents: ExtractContents;
  /** Runs a workflow of the same app and returns its output. @throws StepError `child_failed` */
  runChild(call: ChildCall): Promise<JsonValue>;
  /** Returns the credentials of one of the app's connections, for an action of its service. */
  readonly openConnection: OpenConnection;
  /** Returns the service functions for the actions of a step. */
  stepwell(step: CallingStep): ActionContext["stepwell"];
}

/** The step that calls an action. */
export interface CallingStep {
  readonly run_id: string;
  readonly step_key: string;
  /** Where its run is nested; the root is the run itself if it has no parent. */
  readonly nesting: Nesting;
}

export interface ChildCall {
  readonly attempt: Attempt;
  readonly workflow_id: string;
  readonly version: string;
  readonly input: JsonValue;
  readonly step_key: string | undefined;
}

/** A child run that a step waits for. */
export interface AwaitedChild {
  readonly run_id: string;
  /** When the step stops waiting, in milliseconds since 1970; undefined for no limit. */
  readonly until: number | undefined;
}

/** One attempt of a step. `this` has a type so that no step takes a method apart from its attempt. */
export interface Attempt {
  readonly app_id: string;
  readonly run_id: string;
  /** ID of the topmost ancestor, or of this run if it has none. */
  readonly root_run_id: string;
  readonly depth: number;
  /** Key of the step. */
  readonly step_key: string;
  /**
   * `run/step/iteration`, with the number of the run's retry or of the attempt that changed it. The same after a crash and
   * after a transient error, because the receiver may have acted on the earlier request.
   */
  readonly idempotencyKey: string;
  /** The key of the attempt before, if it was another one. */
  readonly previousKey: string | undefined;
  /** Aborts when the step must stop: the run was canceled or failed, or the time limit was reached. */
  readonly signal: AbortSignal;
  /** Time limit in milliseconds. For a child run, from its creation. */
  readonly timeoutMs: number;
  /** Reports that a child run is about to be started. Also works after the end of the attempt. */
  openChild(this: Attempt, runId: string): void;
  /** Reports that a child run has ended, or was never started. Also works after the end of the attempt. */
  closeChild(this: Attempt, runId: string): void;
  /** Reports that the attempt only waits for a child run from now on. The run may then be evicted from memory. */
  awaitChild(this: Attempt, child: AwaitedChild): void;
  /** Adds lines to the step's log. */
  log(this: Attempt, lines: readonly string[]): void;
  /** Publishes a piece of the text that the step is generating. Not stored. */
  emitDelta(this: Attempt, text: string): void;
  /** Starts the time limit of an effect with {@link Effect.startsTimer}. Has no effect after the first call. */
  startTimer(this: Attempt): void;
  /**
   * Executes a substep with its own attempts and time limit, and resolves when its outcome is stored. Until the step
   * has settled, the same name returns the same outcome, even after a crash. The substep's idempotency key is the
   * step's key followed by its name.
   * Rejects only if the step must stop. A failed substep resolves with an outcome that contains the error.
   */
  runSubstep(this: Attempt, substep: Substep): Promise<Outcome>;
}

/** One of several sequential units within a step that must not be executed twice. */
export interface Substep extends Effect {
  /** Unique within the step. Consists of lowercase letters, digits and dots. */
  readonly name: string;
}

export type RunSubstep = (substep: Substep, within: Attempt) => Promise<Outcome>;

/** What people see of any executable. */
interface Inspectable {
  /** Returns what the step gets: its fields, with the values of their expressions. Never called to execute it. */
  readonly input?: Evaluate | undefined;
}

/** A step computed from the journal alone. Evaluated immediately, and again after a crash instead of being stored. */
export interface Pure extends Inspectable {
  readonly kind: "pure";
  readonly evaluate: Evaluate;
}

/** The connection that a step uses. */
export interface UsedConnection {
  readonly service: string;
  /** Fields of the credentials that are not secret. */
  readonly publicCredentials: readonly string[];
  idOf(scope: ExpressionScope): string;
}

/** When failed attempts are followed by another one. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  /** Milliseconds before the second attempt. */
  readonly firstMs: number;
  /** Factor between an interval and the next. */
  readonly backoff: number;
  /** Longest interval in milliseconds. */
  readonly maxMs: number;
  /** Which errors are retried; a list has their codes. */
  readonly on: "transient" | "any" | readonly string[];
}

/** A step with side effects, or that takes time. Its outcome is stored before dependent steps start. */
export interface Effect extends Inspectable {
  readonly kind: "effect";
  /** Maximum number of attempts. */
  readonly maxAttempts: number;
  /** Time limit of one attempt in milliseconds. */
  readonly timeoutMs: number;
  /** Whether it starts its time limit by itself, because it first waits for something else. */
  readonly startsTimer?: true;
  /** The step's own retries, which replace {@link maxAttempts}. */
  readonly retry?: RetryPolicy;
  /** Whether the output is known to be valid JSON that no other code has. Otherwise it is copied. */
  readonly isPlain?: true;
  /** Whether it only waits for another run, and limits the time itself. A closing process doesn't wait for it. */
  readonly isChildRun?: true;
  /** The connection with whose credentials it works, which nobody may see. */
  readonly connection?: UsedConnection;
  /** Subject of the timeout error's message. Default: `The step`. */
  readonly label?: string;
  /** Returns values that are available synchronously without a promise, which would cost more than many actions do. */
  run(scope: ExpressionScope, attempt: Attempt, effects: Effects): JsonValue | Promise<JsonValue>;
}

/** A step that waits for input, a time or an event. */
export interface Wait extends Inspectable {
  readonly kind: "wait";
  /** Decides from the scope alone when the step wakes up. If omitted, it waits for input or an event. */
  readonly wakeUp?: (scope: ExpressionScope) => { readonly at: number; readonly output: JsonValue };
  /** Decides from the scope alone for which event the step waits. If omitted, it waits for none. */
  readonly event?: (scope: ExpressionScope) => EventWait;
}

/** The events that a step waits for. */
export interface EventWait {
  readonly name: string;
  /** Null for any. */
  readonly subject: string | null;
  /** Milliseconds before the step became ready from which events count. */
  readonly lookbackMs: number;
  /** Whether the condition holds for an event with this name and subject. False if it cannot be evaluated. */
  matches(event: ReceivedEvent, onFailure?: OnConditionFailure): boolean;
}

/**
 * Called for a condition that cannot be evaluated for an event.
 * @param isFirst Whether this is the first event since the version was compiled.
 */
export type OnConditionFailure = (error: StepError, isFirst: boolean) => void;

/** A point in time that a task waits for, in milliseconds since 1970, and what happens then. */
export type WakeUp = { readonly at: number } & (
  | { readonly kind: "settle"; readonly output: JsonValue }
  | { readonly kind: "fail"; readonly error: StepFailure }
  /** Another attempt or iteration starts. */
  | { readonly kind: "execute" }
);

export type Executable = Pure | Effect | Wait;
