/** One instance for all copies that Next.js makes of a module in a process. */

/** What Next.js needs of an instance, as `createStepwell` returns it. */
export interface NextInstance {
  /** Handles a request. */
  fetch(request: Request): Promise<Response>;
  /** Stores what is pending and releases the storage. */
  close(): Promise<void>;
}

/** Creates an instance. */
export type Create<Instance> = () => Instance | Promise<Instance>;

/** The instance of a name in this process. */
export interface SharedInstance {
  /** Registers a copy of the module that creates the instance. Newer copies have greater numbers. */
  addCopy(): number;
  /** Returns the instance, and creates it with the first call or, during development, for a newer copy. */
  get<Instance extends NextInstance>(copy: number, create: Create<Instance>): Promise<Instance>;
}

/** Registered, so that it is the same in every module graph and in every version of this package. */
const INSTANCES = Symbol.for("stepwell/next");

/** With their exit codes, if nothing else handles the signal. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

export function sharedInstance(name: string): SharedInstance {
  const instances = instancesOfProcess();
  const found = instances.get(name) ?? createSharedInstance();
  instances.set(name, found);
  return found;
}

function instancesOfProcess(): Map<string, SharedInstance> {
  const found: unknown = Reflect.get(globalThis, INSTANCES);
  if (isMap(found)) return found;
  const created = new Map<string, SharedInstance>();
  Reflect.set(globalThis, INSTANCES, created);
  return created;
}

const isMap = (value: unknown): value is Map<string, SharedInstance> => value instanceof Map;

function createSharedInstance(): SharedInstance {
  let copies = 0;
  let current: { readonly copy: number; readonly instance: Promise<NextInstance> } | null = null;
  let isListening = false;

  /** Closes the old instance first: only one at a time can use the storage. */
  async function replace<Instance>(create: Create<Instance>): Promise<Instance> {
    await close();
    return create();
  }

  /** An instance that could not be created uses no storage. */
  async function close(): Promise<void> {
    await current?.instance.then((instance) => instance.close()).catch(() => undefined);
  }

  function listen(): void {
    if (!isListening) closeOnSignals(close);
    isListening = true;
  }

  return {
    addCopy: () => ++copies,

    async get<Instance extends NextInstance>(copy: number, create: Create<Instance>): Promise<Instance> {
      listen();
      const isUsable = current !== null && (copy <= current.copy || !isDevelopment());
      const used = current !== null && isUsable ? current : { copy, instance: replace(create) };
      current = used;
      const instance = await used.instance.catch((error: unknown) => {
        if (current === used) current = null; // the next call tries again
        throw error;
      });
      if (isOf(instance, create)) return instance;
      throw new TypeError("nextStepwell needs a function that returns an instance from createStepwell.");
    },
  };
}

/** In production, all copies have the same code, and none is newer than another. */
const isDevelopment = () => process.env["NODE_ENV"] === "development";

/** Another copy of the same module may have created it, so its type is that of this copy. */
function isOf<Instance extends NextInstance>(instance: NextInstance, _create: Create<Instance>): instance is Instance {
  return typeof instance?.fetch === "function" && typeof instance.close === "function";
}

/**
 * Closing the instance also ends its event streams, for which Next.js would wait. With `NEXT_MANUAL_SIG_HANDLE`, and in
 * servers without handlers of their own, this handler is the only one and has to end the process.
 */
function closeOnSignals(close: () => Promise<void>): void {
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.once(signal, async () => {
      const isAlone = process.listenerCount(signal) === 0;
      await close();
      if (isAlone) process.exit(code);
    });
  }
}
