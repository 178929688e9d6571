/** Properties that are made out when somebody reads them. */

const MAKERS = Symbol("on demand");

type Made<Makers> = { readonly [Name in keyof Makers]: Makers[Name] extends () => infer Value ? Value : never };

/**
 * Adds properties to an object, each of which calls its function whenever it is read.
 *
 * Getters of a literal would look simpler, but V8 gives each object of such a literal a hidden class of its own. They are
 * slow to make, and as soon as a dead one has grown old by chance it keeps alive what came after it, run after run.
 */
export function onDemand<T extends object, const Makers extends Readonly<Record<string, () => unknown>>>(
  object: T,
  makers: Makers,
): T & Made<Makers> {
  Object.defineProperty(object, MAKERS, { value: makers });
  for (const name in makers) Object.defineProperty(object, name, getterOf(name));
  return object as T & Made<Makers>; // which is what was just defined
}

const getters = new Map<string, PropertyDescriptor>();

/** The same for all objects, so that they share a hidden class. */
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
