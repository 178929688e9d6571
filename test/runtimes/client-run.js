/**
 * Calls the client from the module named by the first argument, with the server of the second one as JSON, and prints what
 * came of it as JSON. The process has to end by itself.
 */
import { callClient } from "./client-calls.js";

const [, , module, server] = process.argv;
console.log(JSON.stringify(await callClient(await import(module), JSON.parse(server))));
