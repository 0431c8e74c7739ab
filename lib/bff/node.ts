/** The chat server on Node: as a handler for Express, Connect or `node:http`, or as a separate program. */
export { createNodeServer, type NodeHandler, toNodeHandler } from "./node/node-handler.ts";
export { requireConfiguration, stopOnSignals } from "./node/program.ts";
