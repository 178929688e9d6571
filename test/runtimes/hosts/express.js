/** Express in the version and behind the body parsers that the arguments name. */
import { toNodeHandler } from "stepwell/http/node";
import { port, ready, stepwell } from "./service.js";

const [, , version, parsers] = process.argv;
const { default: express } = await import(version);
const app = express();

/** Larger than what the service takes, so that it is the service that refuses. */
const limit = "64mb";
if (parsers === "parsed") {
  app.use(express.json({ limit }), express.urlencoded({ extended: true, limit }), express.text(), express.raw());
}
if (parsers === "raw") app.use(express.raw({ type: () => true, limit }));

app.use("/automation", toNodeHandler(stepwell));
app.listen(port, "127.0.0.1", ready);
