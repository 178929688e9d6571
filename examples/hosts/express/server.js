// Stepwell in Express: node examples/hosts/express/server.js
import express from "express";
import { toNodeHandler } from "stepwell/http/node";
import { port, printUrl, stepwell } from "../instance.js";

const app = express();
app.use("/automation", toNodeHandler(stepwell)); // before body parsers: signed webhooks need the original bytes
app.use(express.json());
app.get("/", (_, response) => response.json({ hello: "world" }));
app.listen(port, printUrl);
