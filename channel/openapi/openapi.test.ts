/** The OpenAPI document and the reference are valid, complete and accurate. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { chatApiErrorCodes } from "#lib/chat-api/errors.ts";
import { operationContracts } from "#lib/chat-api/operation-contracts.ts";
import type { OperationContract } from "#lib/chat-api/operations/operation-contract.ts";
import { operationNames, operations } from "#lib/chat-api/operations.ts";
import { testChannel, testOrigin } from "../testing/test-channel.ts";
import { openApiDocument } from "./document.ts";

const document = openApiDocument(testOrigin);

function described(name: (typeof operationNames)[number]) {
  const { method, path } = operations[name];
  const found = document.paths[`/v1/channels/{channelKey}${path}`]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`${name} is not described`);
  return found;
}

test("passes an independent OpenAPI validator", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test("documents every error code and header", () => {
  const text = JSON.stringify(document.paths);
  for (const code of chatApiErrorCodes) expect(text, code).toContain(`"${code}":{"value"`);
  for (const [status, response] of operationNames.flatMap((name) =>
    Object.entries(described(name).responses),
  )) {
    const headers = Object.keys(response.headers);
    expect(headers).toContain("X-Request-Id");
    const isSuccess = status.startsWith("2");
    for (const header of ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"])
      expect(headers.includes(header)).toBe(isSuccess);
    expect(headers.includes("Retry-After")).toBe(status === "429" || status === "503");
    expect(headers.includes("Allow")).toBe(status === "405");
  }
});

test("the examples match the contract", () => {
  for (const name of operationNames) {
    const { response, body, example }: OperationContract = operationContracts[name];
    if (response !== undefined) expect(response.parse(example.response), name).toEqual(example.response);
    if (body !== undefined && body !== "file") expect(body.safeParse(example.body).success, name).toBe(true);
    for (const { in: place, schema, example: value } of described(name).parameters)
      if (place !== "query") expect(value, name).toMatch(new RegExp(String(schema["pattern"])));
  }
});

const page = async (path: string, origin = testOrigin) => {
  const { channel } = await testChannel({ chatKeyFile: "/data of ana/chat-key" });
  const response = await channel.fetch(new Request(`${origin}${path}`));
  return { channel, response, text: await response.text() };
};

test("the HTML page shows every operation, and its policy allows only its own script and style", async () => {
  const { channel, response, text } = await page("/docs");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(text).not.toMatch(/<style| style=| on\w+=|<script(?! type="module" src="\/assets\/)/);
  for (const [, asset = ""] of text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
    expect((await channel.fetch(new Request(`${testOrigin}${asset}`))).status, asset).toBe(200);
  for (const name of operationNames) expect(text).toContain(`>${described(name).summary}</h3>`);
  for (const code of chatApiErrorCodes) expect(text).toContain(code);
  const targets = Array.from(text.matchAll(/href="#([^"]+)"/g), ([, id = ""]) => id);
  for (const id of targets) expect(text).toContain(`id="${id}"`);
});

test("the Markdown has the caller's address and key file, in the syntax of the shell", async () => {
  const origin = "http://127.0.0.1:3456";
  const { response, text } = await page("/docs.md", origin);
  expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(text).toMatch(/^# The Chat API\n/);
  expect(text).not.toContain("<!--");
  expect(text).not.toContain("127.0.0.1:2428");
  expect(text).not.toContain("ck_test");
  for (const line of ["KEY=$(cat '/data of ana/chat-key')", `BASE=${origin}/v1/channels/dep_test_`])
    expect(text).toContain(line);
});

test.each(["http://localhost:3456", "http://[::1]:3456"])("names the key file at %s", async (origin) => {
  expect((await page("/docs", origin)).text).toContain("/data of ana/chat-key");
});

test.each(["/docs", "/docs.md", "/llms.txt", "/v1/openapi.json"])(
  "does not tell a website that was rebound to this machine where the key is: %s",
  async (path) => expect((await page(path, "http://rebound.example")).text).not.toContain("data of ana"),
);

test("gives each origin its own address", async () => {
  const { channel } = await testChannel();
  const at = async (origin: string) => (await channel.fetch(new Request(`${origin}/docs`))).text();
  const [one, other] = [await at("http://one.test"), await at("http://two.test")];
  expect([one.includes("two.test"), other.includes("one.test")]).toEqual([false, false]);
  expect(other).toContain("http://two.test/v1/channels/");
});

test("takes no shell syntax from the Host header", async () => {
  const { channel } = await testChannel();
  const response = await channel.fetch(new Request("http://a$(id).test/docs.md"));
  expect(await response.text()).not.toContain("$(id)");
});
