/** A driver that simulates SIGSTOP at one of its calls, before the call is sent or after it took effect. */
import type { ExtendedDriver } from "../../../src/ports/driver.ts";

export type Moment = "before" | "after";

export interface HeldDriver {
  readonly driver: ExtendedDriver;
  /** Calls so far. */
  readonly calls: number;
  /** Settles when the process stops. */
  readonly stopped: Promise<void>;
  /** Continues the process: the held call and all later ones are sent or return. */
  release(): void;
}

/** Methods that return an object whose calls count, too. */
const MAKERS: ReadonlySet<PropertyKey> = new Set(["takeOwnership", "openItem"]);

/** @param at The number of the call at which the process stops; 0 for none. */
export function holdDriver(inner: ExtendedDriver, at: number, moment: Moment): HeldDriver {
  let calls = 0;
  let isStopped = false;
  const stopped = signal();
  const released = signal();

  async function held(call: () => unknown): Promise<unknown> {
    if (moment === "after") {
      const answer = await call();
      isStopped = true;
      stopped.resolve();
      await released.promise;
      return answer;
    }
    isStopped = true;
    stopped.resolve();
    await released.promise;
    return call();
  }

  function counted(call: () => unknown): unknown {
    if (isStopped) return released.promise.then(call);
    return ++calls === at ? held(call) : call();
  }

  function wrap<T extends object>(target: T): T {
    return new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== "function" || name === "dispose") return value;
        return (...given: unknown[]) => {
          const answer = counted(() => Reflect.apply(value, object, given));
          if (!MAKERS.has(name)) return answer;
          return Promise.resolve(answer).then((made) =>
            typeof made === "object" && made !== null ? wrap(made) : made,
          );
        };
      },
    });
  }

  return {
    driver: wrap(inner),
    get calls() {
      return calls;
    },
    stopped: stopped.promise,
    release() {
      isStopped = false;
      released.resolve();
    },
  };
}

function signal(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
