/** Properties that are computed when they are read. */

const MAKERS = Symbol("on demand");

type Made<Makers> = { readonly [Name in keyof Makers]: Makers[Name] extends () => infer Value ? Value : never };

/**
 * Adds properties to an object. Each calls its function whenever it is read.
 *
 * Getters in an object literal would look simpler, but V8 gives each such object a separate hidden class. These are
 * slow to create. One that reaches the old generation also keeps later ones alive, run after run.
 */
export function onDemand<T extends object, const Makers extends Readonly<Record<string, () => unknown>>>(
  object: T,
  makers: Makers,
): T & Made<Makers> {
  Object.defineProperty(object, MAKERS, { value: makers });
  for (const name in makers) Object.defineProperty(object, name, getterOf(name));
  return object as T & Made<Makers>; // the loop has just defined these properties
}

const getters = new Map<string, PropertyDescriptor>();

/** Returns the same descriptor for all objects, so that they share a hidden class. */
function getterOf(name: string): PropertyDescriptor {
  let getter = getters.get(name);
  if (getter === undefined) {
    getter = {
      enumerable: true,
      get(this: { readonly [MAKERS]: Readonly<Record<string, () => unknown>> }) {
        return this[MAKERS][name]?.();
      },
    };
    getters.set(name, getter);
  }
  return getter;
}
