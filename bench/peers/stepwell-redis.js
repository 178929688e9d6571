/** Ours on Redis, through the driver or directly. */
import redisDriver from "stepwell/storage/redis";
import redisStore from "stepwell/storage/redis-store";
import { deployed } from "./stepwell.js";

const ENTITIES = {
  driver: (url) => redisDriver({ url }),
  store: (url) => redisStore({ url }),
};

/** @param options `as` is `driver` or `store`. */
export function start({ as, port }) {
  return deployed({ entities: ENTITIES[as](`redis://127.0.0.1:${port}`) });
}
