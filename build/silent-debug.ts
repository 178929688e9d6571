/** Replaces the package `debug` in the build: it is CommonJS, which loads Node's modules in a way that bundles can't. */
export default () => () => undefined;
