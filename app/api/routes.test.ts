/** The access control of `/api` is complete: every exported handler is the pipeline's, every path is in the list. */
import { globSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { endpointPaths } from "#lib/bff/endpoints.ts";
import { isPipelineHandler } from "#lib/bff/entry.ts";

const here = import.meta.dirname;
const files = globSync("**/route.{ts,tsx,js,mjs}", { cwd: here }).map((file) => file.split(sep).join("/"));
const methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

test("no file outside app/api answers requests by itself", () => {
  const app = join(here, "..");
  const all = globSync("**/route.{ts,tsx,js,mjs}", { cwd: app }).map((file) =>
    relative(here, join(app, file)),
  );
  expect(all.map((file) => file.split(sep).join("/")).toSorted()).toEqual(files.toSorted());
});

test("every path of the list has its file, and every file is in the list", () => {
  const paths = files.map((file) =>
    `/${file.replace(/\/?route\.ts$/, "")}`.replaceAll("[", "{").replaceAll("]", "}"),
  );
  expect(paths.toSorted()).toEqual([...endpointPaths, "/{{...path}}"].toSorted());
});

test.each(files)("%s exports the pipeline's handlers for every method, and nothing else", async (file) => {
  const exported: Record<string, unknown> = await import(join(here, file));
  expect(Object.keys(exported).toSorted()).toEqual(methods);
  for (const method of methods)
    expect(isPipelineHandler(exported[method]), `${method} of ${file}`).toBe(true);
});

test("a handler that did not pass the pipeline is recognised", () => {
  expect(isPipelineHandler(async () => new Response())).toBe(false);
  expect(isPipelineHandler(undefined)).toBe(false);
});
