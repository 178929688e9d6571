/** One run in memory: the operations that callers invoke on its loop. */

import type { ReceivedEvent } from "../../app-events/app-event.ts";
import { StepwellError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change } from "../../ports/store.ts";
import type { RunError } from "../../runs/run.ts";
import type { InputWait } from "../../runs/run-executor.ts";
import type { RunStep } from "../../runs/run-step.ts";
import type { RunSnapshot } from "../events/run-events.ts";
import { isEnded } from "../state/run-document.ts";
import { STOPPED } from "../step-error.ts";
import type { Execution, ExecutionContext, LoadedRun, OpenRun, Received } from "./execution-types.ts";
import type { RunLifecycle } from "./run-lifecycle.ts";
import { RunLoop } from "./run-loop.ts";

/** How long a reader waits for a commit before it gets the stored state. */
const READ_TIMEOUT_MS = 250;

export class RunExecution implements Execution {
  readonly appId: string;
  private readonly loop: RunLoop;
  private readonly lifecycle: RunLifecycle;
  private readonly clock: Clock;

  constructor(loaded: LoadedRun, context: ExecutionContext) {
    this.appId = loaded.document.app_id;
    this.loop = new RunLoop(loaded, context);
    this.lifecycle = this.loop.lifecycle;
    this.clock = context.clock;
  }

  execute(): Promise<void> {
    return this.loop.execute();
  }

  snapshot(): Promise<RunSnapshot | null> {
    return this.whenStored(() => this.read());
  }

  inspect(): Promise<OpenRun | null> {
    return this.whenStored(() => {
      const { writer, plan, progress } = this.loop;
      const document = writer.document();
      return this.isReadable() && !isEnded(document) ? { document, plan, progress } : null;
    });
  }

  /** Reads when no commit is in progress. Returns null if that takes too long. */
  private whenStored<T>(read: () => T | null): Promise<T | null> {
    return new Promise((resolve) => {
      if (!this.lifecycle.isStoring()) return resolve(read());
      const cancel = this.clock.after(READ_TIMEOUT_MS, () => resolve(null));
      this.lifecycle.commits.add(() => {
        cancel();
        resolve(read());
      });
    });
  }

  async end(error: RunError | null): Promise<boolean> {
    this.loop.requestEnd({ status: error === null ? "canceled" : "failed", error });
    while (!this.lifecycle.isOver()) await this.untilStored();
    return isEnded(this.loop.writer.document());
  }

  async provide(index: number, value: JsonValue, wait?: InputWait, changes?: readonly Change[]): Promise<boolean> {
    const { loop, lifecycle } = this;
    if (lifecycle.isOver()) return false;
    if (!loop.waitingTasks.isWaiting(index, wait)) {
      const status = this.read()?.run.steps[index]?.status;
      // The run may have been loaded only for this call; nothing else would evict or execute it.
      if (!loop.evictIfIdle()) await loop.execute();
      throw new StepwellError("conflict", notWaiting(status));
    }
    return loop.waitingTasks.provide(index, value, changes);
  }

  async receive(events: readonly ReceivedEvent[]): Promise<Received> {
    const { loop, lifecycle } = this;
    if (lifecycle.isOver()) return { settled: [], isComplete: false };
    const received = await loop.waitingTasks.receive(events);
    // The run may have been loaded only for this call.
    if (received.settled.every((count) => count === 0) && !loop.evictIfIdle()) await loop.execute();
    return received;
  }

  async resume(): Promise<boolean> {
    const { loop, lifecycle } = this;
    if (lifecycle.isOver()) return false;
    // A commit that is in progress doesn't include what follows. Its writer checks the timers afterwards.
    const wasStoring = lifecycle.isStoring();
    await loop.execute();
    if (wasStoring) await this.untilStored();
    await this.untilStored();
    if (lifecycle.isOutdated()) return false;
    const unstored = lifecycle.unstored();
    if (unstored !== null) throw unstored;
    return true;
  }

  abandon(): void {
    const { loop, lifecycle } = this;
    if (lifecycle.isOver()) return;
    loop.stopStarting();
    loop.exit(lifecycle.replace());
  }

  async suspend(timeUp: Promise<void>): Promise<void> {
    const { loop, lifecycle } = this;
    loop.stopStarting();
    let isTimeUp = false;
    void timeUp.then(() => {
      isTimeUp = true;
    });
    const isWorking = () => lifecycle.isStoring() || loop.runner.isWorking();
    while (!lifecycle.isOver() && !isTimeUp && isWorking()) await Promise.race([timeUp, lifecycle.commits.next()]);
    await this.interrupt();
  }

  /** The run as stored, or null if memory holds changes that could not be stored. */
  private read(): RunSnapshot | null {
    const { writer, progress, eventsBeforeRetry } = this.loop;
    if (!this.isReadable()) return null;
    return { run: writer.show(), order: [...progress.order], eventsBeforeRetry };
  }

  private isReadable(): boolean {
    return this.lifecycle.unstored() === null && !this.lifecycle.isOutdated();
  }

  private async untilStored(): Promise<void> {
    if (this.lifecycle.isStoring()) await this.lifecycle.commits.next();
  }

  /**
   * Interrupts running steps. Resolves when this is stored, unless another commit is in progress. Outcomes that arrive
   * meanwhile are not stored.
   */
  private async interrupt(): Promise<void> {
    const { loop, lifecycle } = this;
    if (lifecycle.isStoring()) lifecycle.enter("detached");
    else if (lifecycle.canStore() && (loop.runner.size() > 0 || loop.writer.hasWorker())) await loop.markInterrupted();
    else if (lifecycle.canStore()) lifecycle.enter("suspended");
    loop.runner.stop(STOPPED);
  }
}

/** A step with an outcome that is not stored yet still shows as waiting. */
function notWaiting(status: RunStep["status"] | undefined): string {
  const actual = status === undefined || status === "waiting" ? "" : ` Its status is ${status}.`;
  return `The step is not waiting for input.${actual}`;
}
